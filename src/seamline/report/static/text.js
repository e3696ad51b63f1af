/** A text whose offsets count code points, as the results do; strings count UTF-16 units. */
class Text {
  constructor(string) {
    this.string = string;
    this.units = /[\ud800-\udbff]/.test(string) ? Text.starts(string) : null;
    this.length = this.units ? this.units.length - 1 : string.length;
  }

  /** Where each code point starts, and the end. */
  static starts(string) {
    const units = new Uint32Array(string.length + 1);
    let n = 0;
    for (let i = 0; i < string.length; i += string.codePointAt(i) > 0xffff ? 2 : 1) {
      units[n++] = i;
    }
    units[n] = string.length;
    return units.subarray(0, n + 1);
  }

  slice(start, end) {
    const units = this.units;
    return units ? this.string.slice(units[start], units[end]) : this.string.slice(start, end);
  }

  isBlank(start, end) {
    return this.slice(start, end).trim() === '';
  }
}

/** The spans behind a flat list of gaps between starts and lengths. */
function spansOf(gaps) {
  const spans = [];
  let start = 0;
  for (let i = 0; i < gaps.length; i += 2) {
    start += gaps[i];
    spans.push([start, start + gaps[i + 1]]);
  }
  return spans;
}

/** An element with properties and children; strings become text, never markup. */
function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-')) element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

/** A strategy's string, which may break after its opening parenthesis. */
function spec(string) {
  const at = string.indexOf('(') + 1;
  return make('code', { className: 'spec' }, string.slice(0, at), make('wbr'), string.slice(at));
}

/** A measure's name, which may break before its cutoff. */
function measure(name) {
  const [, before, cutoff] = name.match(/^([^@]*)(.*)$/);
  return [before, make('wbr'), cutoff];
}

function counted(value) {
  return value.toLocaleString('en');
}

function decimal(value, places = 3) {
  return value === null || value === undefined ? '–' : value.toLocaleString('en', {
    minimumFractionDigits: places, maximumFractionDigits: places,
  });
}
