const BATCH = 100; // questions listed at a time
const REACH = 1500; // code points shown beside the gold before the whole document is asked for

/** Values of the primary measure as 0 (bad) to 1 (good). */
function levels(data) {
  const rows = data.strategies.map((strategy) => strategy.values[0]);
  const known = rows.flat().filter((value) => value !== null);
  const low = Math.min(0, ...extent(known));
  const high = Math.max(1, ...extent(known));
  const scaled = (value) => (value - low) / (high - low);
  return rows.map((row) => row.map((value) => {
    if (value === null) return null;
    return data.lower ? 1 - scaled(value) : scaled(value);
  }));
}

function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return values.length ? [low, high] : [];
}

const OUTCOMES = {
  all: ['all', () => true],
  part: ['not found whole', (own) => own !== null && own < 1],
  none: ['not found at all', (own) => own !== null && own <= 0],
  whole: ['found whole', (own) => own !== null && own >= 1],
  differ: ['strategies differ', (_own, row) => Math.max(...row) > Math.min(...row)],
};

class Explorer {
  constructor(data, root) {
    this.data = data;
    this.levels = levels(data);
    this.question = 0;
    this.strategy = 0;
    this.shown = BATCH;
    this.list = make('div', { className: 'list', role: 'group', 'aria-label': 'Questions' });
    this.detail = make('div', { className: 'detail' });
    const panes = make('div', { className: 'split' }, this.list, this.detail);
    root.replaceChildren(this.filters(), panes);
    this.list.addEventListener('keydown', (event) => this.step(event));
  }

  filters() {
    const specs = this.data.strategies.map((one, i) => [i, `${one.label} ${one.spec}`]);
    const tags = [...new Set(this.data.questions.tags.flat())].sort();
    const outcomes = Object.entries(OUTCOMES).map(([key, [label]]) => [key, label]);
    this.picked = pick(specs, () => this.open(this.question, Number(this.picked.value)));
    this.outcome = pick(outcomes, () => this.refill());
    this.tag = pick([['', 'all'], ...tags.map((tag) => [tag, tag])], () => this.refill());
    this.words = make('input', { type: 'search' });
    this.words.addEventListener('input', () => this.refill());
    const fields = [['Strategy', this.picked], ['Outcome', this.outcome]];
    if (tags.length) fields.push(['Tag', this.tag]);
    fields.push(['Words', this.words]);
    const labels = fields.map(([name, field]) => make('label', {}, name, field));
    return make('div', { className: 'filters' }, ...labels);
  }

  /** The numbers of the questions that pass the filters. */
  chosen() {
    const { id, text, tags } = this.data.questions;
    const [, holds] = OUTCOMES[this.outcome.value];
    const words = this.words.value.trim().toLowerCase();
    return id.map((_, i) => i).filter((i) => {
      const row = this.levels.map((values) => values[i]);
      return holds(row[this.strategy], row)
        && (!this.tag.value || tags[i].includes(this.tag.value))
        && (!words || `${id[i]} ${text[i]}`.toLowerCase().includes(words));
    });
  }

  refill() {
    this.shown = BATCH;
    this.fill();
  }

  fill() {
    const chosen = this.chosen();
    const rows = chosen.slice(0, this.shown).map((i) => this.row(i));
    const n = `${counted(chosen.length)} of ${counted(this.data.questions.id.length)} questions`;
    this.list.replaceChildren(make('p', { className: 'note', role: 'status' }, n), ...rows);
    if (chosen.length > this.shown) {
      const more = make('button', { type: 'button', className: 'question' }, 'Show more');
      more.addEventListener('click', () => {
        this.shown += BATCH;
        this.fill();
      });
      this.list.append(more);
    }
    return chosen;
  }

  row(i) {
    const { id, text } = this.data.questions;
    const cells = this.levels.map((values, s) => {
      const level = values[i] === null ? '' : `v${Math.round(values[i] * 4)}`;
      const { label, spec: title } = this.data.strategies[s];
      return make('i', { className: level, title: `${label} ${title}` });
    });
    const button = make(
      'button', { type: 'button', className: 'question' },
      make('span', { dir: 'auto' }, text[i] || id[i]),
      make('span', { className: 'cells', 'aria-hidden': 'true' }, ...cells),
    );
    button.dataset.question = i;
    if (i === this.question) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => this.open(i, this.strategy));
    return button;
  }

  step(event) {
    const to = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
    const next = to && event.target.closest('button')?.[to];
    if (next?.matches('button')) {
      event.preventDefault();
      next.focus();
      if (next.dataset.question) next.click();
    }
  }

  /** Show a question under a strategy; with `jump`, scroll to it. */
  open(question, strategy, jump = false) {
    const another = strategy !== this.strategy;
    this.question = question;
    this.strategy = strategy;
    this.picked.value = String(strategy);
    if (another || !this.list.childElementCount) this.fill();
    for (const button of this.list.querySelectorAll('[aria-current]')) {
      button.removeAttribute('aria-current');
    }
    this.list.querySelector(`[data-question="${question}"]`)?.setAttribute('aria-current', 'true');
    this.detail.replaceChildren(...details(this, question, strategy));
    if (jump) document.getElementById('questions').scrollIntoView();
  }
}

function pick(options, changed) {
  const select = make('select', {});
  for (const [value, label] of options) select.append(make('option', { value }, label));
  select.addEventListener('change', changed);
  return select;
}
