/**
 * A part of a text as nodes. `layers` maps a class to the spans it covers; text under `gold`
 * becomes a mark, `twice` is what two spans of its layer cover. `marks` are elements by offset.
 */
function passage(text, start, end, layers, marks = new Map()) {
  const changes = new Map([[start, []], [end, []]]);
  const at = (offset) => {
    const place = Math.min(Math.max(offset, start), end);
    if (!changes.has(place)) changes.set(place, []);
    return changes.get(place);
  };
  for (const [layer, spans] of Object.entries(layers)) {
    for (const [from, to] of spans) {
      if (from >= end || to <= start) continue;
      at(from).push([layer, 1]);
      at(to).push([layer, -1]);
    }
  }
  for (const offset of marks.keys()) {
    if (offset >= start && offset <= end) at(offset);
  }
  const offsets = [...changes.keys()].sort((a, b) => a - b);
  const depth = {};
  const out = document.createDocumentFragment();
  offsets.forEach((offset, i) => {
    for (const [layer, change] of changes.get(offset)) depth[layer] = (depth[layer] || 0) + change;
    for (const mark of marks.get(offset) || []) out.append(mark);
    if (i + 1 < offsets.length) out.append(piece(text.slice(offset, offsets[i + 1]), depth));
  });
  return out;
}

function piece(string, depth) {
  const classes = Object.keys(depth).filter((layer) => layer !== 'gold' && depth[layer] > 0);
  const name = depth.gold > 0 ? 'mark' : 'span';
  return make(name, { className: classes.join(' ') }, string);
}

/** Parts of [start, end) near the given offsets; what is far from all of them is left out. */
function windows(start, end, offsets, reach) {
  const near = [start, ...offsets, end].map((at) => [
    Math.max(start, at - reach),
    Math.min(end, at + reach),
  ]);
  const parts = [near[0]];
  for (const [from, to] of near.slice(1)) {
    const last = parts[parts.length - 1];
    if (from <= last[1] + reach / 2) last[1] = Math.max(last[1], to);
    else parts.push([from, to]);
  }
  return parts;
}

/** The nodes of several windows with a note for each gap between them. */
function passages(text, parts, layers, marks) {
  const out = document.createDocumentFragment();
  parts.forEach(([from, to], i) => {
    if (i > 0) {
      const left = from - parts[i - 1][1];
      out.append(make('span', { className: 'skipped' }, ` … ${counted(left)} characters … `));
    }
    out.append(passage(text, from, to, layers, marks));
  });
  return out;
}
