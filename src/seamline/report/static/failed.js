/** A question that failed: where its gold stands, the gold, and what was shown first. */
function failedCase(data, strategy, [question, , slot, rank, exact, arms]) {
  const asked = data.questions;
  const doc = asked.doc[question];
  const open = make('button', { type: 'button', className: 'plain' }, 'Open this question');
  open.addEventListener('click', () => data.open(question, strategy, true));
  const needed = asked.slots[question].length;
  const about = [
    asked.id[question],
    data.documents.id[doc],
    ...(needed > 1 ? [`span ${slot + 1} of ${needed}`] : []),
    `its chunk ${rank === null ? 'is not ranked' : `ranks ${counted(rank)}`}`,
    `the gold alone ${exact === null ? 'is not ranked' : `would rank ${counted(exact)}`}`,
    ...(arms.length ? [`found by ${arms.join(' and ')} alone`] : []),
  ].join(' · ');
  const text = data.text(doc);
  const [start, end] = asked.slots[question][slot][0];
  const shown = make('div', { className: 'text' });
  if (text) {
    const [low, high] = [Math.max(0, start - AROUND), Math.min(text.length, end + AROUND)];
    const parts = windows(low, high, [start, end].filter((at) => at > low && at < high), 2 * AROUND);
    shown.append(passages(text, parts, { gold: [[start, end]], around: [[0, start], [end, text.length]] }));
  } else {
    shown.append('The text of this document is not in this file.');
  }
  const [first] = hitsOf(data, question, strategy);
  const instead = first
    ? [
      make('p', { className: 'about' }, `Shown first: ${data.documents.id[first.doc]}`),
      excerpt(data.text(first.doc), first.start, first.end, goldIn(data, question, first.doc)),
    ]
    : [make('p', { className: 'about' }, 'Nothing was shown')];
  return make(
    'div', { className: 'case' },
    make('p', { dir: 'auto' }, asked.text[question]),
    make('p', { className: 'about' }, about, open),
    shown,
    ...instead,
  );
}

/** Fill a strategy's list of failed questions when it is first opened. */
function failedLists(data) {
  for (const place of document.querySelectorAll('[data-failed]')) {
    const strategy = Number(place.dataset.failed);
    place.parentElement.addEventListener('toggle', () => {
      if (place.classList.contains('filled')) return;
      place.classList.add('filled');
      const rows = data.strategies[strategy].failed;
      const parts = data.labels.map((label, i) => {
        const own = rows.filter((row) => row[1] === i);
        if (!own.length) return null;
        const cases = own.map((row) => failedCase(data, strategy, row));
        const key = make('span', { className: `key l${i}` });
        const head = make('summary', {}, key, ` ${label} (${counted(own.length)})`);
        return make('details', { open: own.length < 4 }, head, ...cases);
      });
      place.replaceChildren(...parts.filter(Boolean));
    });
  }
}
