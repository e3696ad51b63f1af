const AROUND = 140; // code points of context beside an answer

/** The cuts inside an answer: where a piece ends, where the next one starts, or both in one. */
function cutMarks(text, start, end, pieces) {
  const marks = new Map();
  const add = (offset, label) => {
    if (offset <= start || offset >= end) return;
    const mark = make('span', { className: 'cut', 'data-label': label });
    marks.set(offset, [...(marks.get(offset) || []), mark]);
  };
  pieces.forEach(([from, to], i) => {
    const before = pieces[i - 1];
    const after = pieces[i + 1];
    const joined = (a, b) => a && b && a[1] <= b[0] && text.isBlank(a[1], b[0]);
    if (joined([from, to], after)) add(to, 'cut');
    else if (after) add(to, `piece ${i + 1} ends`);
    if (before && !joined(before, [from, to])) add(from, `piece ${i + 1} starts`);
  });
  return marks;
}

function splitCase(data, strategy, [question, start, end, ...flat]) {
  const asked = data.questions;
  const doc = asked.doc[question];
  const pieces = [];
  for (let i = 0; i < flat.length; i += 2) pieces.push([flat[i], flat[i + 1]]);
  const open = make('button', { type: 'button', className: 'plain' }, 'Open this question');
  open.addEventListener('click', () => data.open(question, strategy, true));
  const about = make(
    'p', { className: 'about' },
    `${asked.id[question]} · ${data.documents.id[doc]} · `,
    `${counted(start)} to ${counted(end)} · ${pieces.length} pieces`, open,
  );
  const text = data.text(doc);
  const shown = make('div', { className: 'text' });
  if (text) {
    const marks = cutMarks(text, start, end, pieces);
    const inner = windows(start, end, [...marks.keys()], 2 * AROUND);
    inner[0][0] = Math.max(0, start - AROUND);
    inner[inner.length - 1][1] = Math.min(text.length, end + AROUND);
    const around = [[0, start], [end, text.length]];
    if (inner[0][0] > 0) shown.append(make('span', { className: 'skipped' }, '… '));
    shown.append(passages(text, inner, { gold: [[start, end]], around }, marks));
    const last = inner[inner.length - 1][1];
    if (last < text.length) shown.append(make('span', { className: 'skipped' }, ' …'));
  } else {
    shown.append('The text of this document is not in this file.');
  }
  return make('div', { className: 'case' }, make('p', { dir: 'auto' }, asked.text[question]), about, shown);
}

/** Fill a strategy's list of cut answers when it is first opened. */
function splitLists(data) {
  for (const place of document.querySelectorAll('[data-split]')) {
    const strategy = Number(place.dataset.split);
    place.parentElement.addEventListener('toggle', () => {
      if (place.classList.contains('filled')) return;
      place.classList.add('filled');
      const cases = data.strategies[strategy].split;
      place.replaceChildren(...cases.map((one) => splitCase(data, strategy, one)));
    });
  }
}
