/** Emphasise one curve while its name is pointed at, or for good once it is pressed. */
function highlightCurves() {
  for (const chart of document.querySelectorAll('.curves')) {
    let kept = null;
    const light = (series) => {
      chart.classList.toggle('lit', series !== null);
      for (const part of chart.querySelectorAll('g[data-s]')) {
        part.classList.toggle('on', part.dataset.s === series);
      }
    };
    for (const part of chart.querySelectorAll('[data-s]')) {
      part.addEventListener('pointerenter', () => light(part.dataset.s));
      part.addEventListener('pointerleave', () => light(kept));
    }
    for (const button of chart.querySelectorAll('button')) {
      button.addEventListener('click', () => {
        kept = kept === button.dataset.s ? null : button.dataset.s;
        for (const other of chart.querySelectorAll('button')) {
          other.setAttribute('aria-pressed', String(other.dataset.s === kept));
        }
        light(kept);
      });
    }
  }
}

/** The file's data, with texts made when they are first needed. */
function load() {
  const data = JSON.parse(document.getElementById('data').textContent);
  const texts = new Map();
  data.text = (doc) => {
    const string = data.documents.text[doc];
    if (string === null) return null;
    if (!texts.has(doc)) texts.set(doc, new Text(string));
    return texts.get(doc);
  };
  return data;
}

function start() {
  const data = load();
  highlightCurves();
  splitLists(data);
  failedLists(data);
  const explorer = new Explorer(data, document.getElementById('explore'));
  data.open = (...where) => explorer.open(...where);
  const missed = data.strategies[0].values[0].findIndex((value) => value !== null && value < 1);
  explorer.open(Math.max(missed, 0), 0);
}

start();
