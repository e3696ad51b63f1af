/** Everything about one question: measures by strategy, what was retrieved, the document. */
function details(explorer, question, strategy) {
  const { data } = explorer;
  const { id, doc, text, tags, slots } = data.questions;
  const needed = slots[question].length;
  const about = [id[question], data.documents.id[doc[question]], ...tags[question]].join(' · ');
  const several = needed > 1 ? ` · ${needed} spans are needed` : '';
  const either = slots[question].some((slot) => slot.length > 1)
    ? ' · where there are alternatives, all are marked' : '';
  return [
    make('h3', { dir: 'auto' }, text[question]),
    make('p', { className: 'about' }, about + several + either),
    measureTable(explorer, question, strategy),
    ...retrieved(data, question, strategy),
    ...wholeDocument(data, question, strategy),
  ];
}

function measureTable(explorer, question, strategy) {
  const { data } = explorer;
  const names = [...data.measures, 'Similarity@1'];
  const head = ['', 'strategy', ...names].map((name, i) => (
    make('th', { scope: 'col', className: i > 1 ? 'n' : '' }, ...measure(name))
  ));
  const rows = data.strategies.map((one, i) => {
    const open = make('button', { type: 'button', className: 'plain' }, spec(one.spec));
    open.addEventListener('click', () => explorer.open(question, i));
    const values = data.measures.map((name, m) => (
      decimal(one.values[m][question], name.startsWith('Tokens') ? 0 : 3)
    ));
    const cells = [...values, decimal(one.similarity[question])];
    const row = make(
      'tr', {},
      make('td', {}, make('span', { className: 'rank' }, one.label)),
      make('th', { scope: 'row' }, open),
      ...cells.map((cell) => make('td', { className: 'n' }, cell)),
    );
    if (i === strategy) row.setAttribute('aria-current', 'true');
    return row;
  });
  const table = make(
    'table', {},
    make('caption', {}, 'This question, strategy by strategy'),
    make('thead', {}, make('tr', {}, ...head)),
    make('tbody', {}, ...rows),
  );
  const label = 'This question, strategy by strategy';
  return make('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': label }, table);
}

function hitsOf(data, question, strategy) {
  const flat = data.strategies[strategy].retrieved?.[question] ?? [];
  const hits = [];
  for (let i = 0; i < flat.length; i += 4) {
    const [doc, start, end, score] = flat.slice(i, i + 4);
    hits.push({ doc, start, end, score });
  }
  return hits;
}

function goldIn(data, question, doc) {
  return doc === data.questions.doc[question] ? data.questions.slots[question].flat() : [];
}

function retrieved(data, question, strategy) {
  const hits = hitsOf(data, question, strategy);
  const items = hits.map(({ doc, start, end, score }, i) => {
    const gold = goldIn(data, question, doc);
    const holds = gold.some(([from, to]) => from < end && to > start);
    const name = data.documents.id[doc];
    const about = `${i + 1} · ${name} · ${counted(start)} to ${counted(end)} · score ${decimal(score)}`;
    return make(
      'li', {},
      make('p', { className: 'about' }, about + (holds ? ' · holds gold' : '')),
      excerpt(data.text(doc), start, end, gold),
    );
  });
  const { spec, retrieved: kept } = data.strategies[strategy];
  const none = kept ? 'Nothing was retrieved' : `What ${spec} retrieved is in results.json only`;
  const title = `First ${hits.length} pieces retrieved by ${spec}`;
  return [
    make('h3', {}, hits.length ? title : none),
    make('ol', { className: 'hits' }, ...items),
  ];
}

/** A retrieved piece, long ones cut short around their gold until more is asked for. */
function excerpt(text, start, end, gold) {
  const box = make('div', { className: 'text' });
  if (!text) {
    box.append('The text of this document is not in this file.');
    return box;
  }
  const inside = gold.filter(([from, to]) => from < end && to > start).flat();
  const edges = inside.filter((at) => at > start && at < end).sort((a, b) => a - b);
  const parts = windows(start, end, edges, 300);
  box.append(passages(text, parts, { gold }));
  if (parts.length > 1) {
    const more = make('button', { type: 'button', className: 'plain' }, 'Show all of it');
    more.addEventListener('click', () => box.replaceChildren(passage(text, start, end, { gold })));
    box.append(make('div', {}, more));
  }
  return box;
}

function wholeDocument(data, question, strategy) {
  const doc = data.questions.doc[question];
  const text = data.text(doc);
  const title = make('h3', {}, `${data.documents.id[doc]} as cut by ${data.strategies[strategy].spec}`);
  if (!text) return [title, make('p', {}, 'The text of this document is not in this file.')];
  const gold = goldIn(data, question, doc);
  const hits = hitsOf(data, question, strategy);
  const key = make('p', { className: 'note' }, make('mark', {}, 'gold'));
  key.append(' · dashed lines are the starts of chunks');
  const chunks = spansOf(data.cuts[data.strategies[strategy].cut][doc]);
  if (chunks.length > 1) {
    key.append(' · every other chunk is ', make('span', { className: 'odd' }, 'tinted'));
  }
  if (chunks.some(([, end], i) => i + 1 < chunks.length && end > chunks[i + 1][0])) {
    key.append(' · ', make('span', { className: 'twice' }, 'hatched'), ' is in two chunks');
  }
  const box = make('div', { className: 'text', id: 'document' });
  const low = Math.max(0, Math.min(...gold.flat()) - REACH);
  const high = Math.min(text.length, Math.max(...gold.flat()) + REACH);
  const draw = (from, to) => {
    const more = [];
    if (from > 0) more.push(...opener(`Show the ${counted(from)} characters before`, draw, 0, to));
    box.replaceChildren(...more, cutText(text, from, to, { gold, chunks, hits, doc }));
    if (to < text.length) {
      const rest = counted(text.length - to);
      box.append(...opener(`Show the ${rest} characters after`, draw, from, text.length));
    }
  };
  draw(low, high);
  return [title, key, box];
}

function opener(label, draw, from, to) {
  const button = make('button', { type: 'button', className: 'plain' }, label);
  button.addEventListener('click', () => draw(from, to));
  return [make('div', { className: 'skipped' }, button)];
}

/** A document with the borders of its chunks drawn in. */
function cutText(text, from, to, { gold, chunks, hits, doc }) {
  const marks = new Map();
  const layers = { gold, odd: [], twice: [], outside: [] };
  let reach = 0;
  chunks.forEach(([start, end], i) => {
    if (i % 2) layers.odd.push([start, end]);
    if (start < reach) layers.twice.push([start, Math.min(reach, end)]);
    if (start > reach && !text.isBlank(reach, start)) layers.outside.push([reach, start]);
    reach = Math.max(reach, end);
    if (start < from || start >= to) return;
    const found = hits.findIndex((hit) => hit.doc === doc && hit.start <= start && hit.end >= end);
    const label = `chunk ${i + 1}${found < 0 ? '' : ` · retrieved, piece ${found + 1}`}`;
    marks.set(start, [make('span', { className: 'border', 'data-label': label })]);
  });
  if (!text.isBlank(reach, text.length)) layers.outside.push([reach, text.length]);
  return passage(text, from, to, layers, marks);
}
