// SPDX-License-Identifier: Apache-2.0
// Tables that change in place, so that focus and selection stay; charts; and how amounts are written.

export const isKnown = (amount) => amount !== null && amount !== undefined;
const written = (write) => (amount) => (isKnown(amount) ? write(amount) : '–');
const numbers = (digits) => new Intl.NumberFormat('en', { maximumFractionDigits: digits });
const time = (options) => new Intl.DateTimeFormat('en-GB', options);

export const count = written((amount) => numbers(0).format(amount));
export const percent = written((part) => `${numbers(part > 0.99 || part < 0.01 ? 1 : 0).format(100 * part)}\u00a0%`);
export const perSecond = written((ofAMinute) => numbers(ofAMinute < 600 ? 1 : 0).format(ofAMinute / 60));
export const latency = written((micros) => (micros < 1000 ? `${micros} µs` : `${numbers(1).format(micros / 1000)} ms`));
export const bytes = written((amount) => {
  const unit = Math.min(4, Math.floor(Math.log2(Math.max(1, amount)) / 10));
  return `${numbers(unit && amount / 1024 ** unit < 100 ? 1 : 0).format(amount / 1024 ** unit)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][unit]}`;
});
const today = (at) => new Date(at).toDateString() === new Date().toDateString();
const timed = (hours) => written((at) => time(today(at) ? hours : { day: 'numeric', month: 'short', ...hours }).format(at));
/** Write a time, with its day unless that is today. */
export const clock = timed({ hour: '2-digit', minute: '2-digit' });
export const seconds = timed({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

export function made(tag, fields = {}, ...children) {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
}

/** Puts a text into an element, if it is another one. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Makes a table body have one row for each item, in their order. cells: a function for each column, of the item and the cell;
 * it returns the text, or nothing if it has filled the cell. The titles of the columns say the alignment. An empty table is hidden.
 */
export function fill(body, items, keyOf, cells) {
  const titles = body.closest('table').tHead.rows[0].cells;
  (body.closest('[role=group]') ?? body.closest('table')).hidden = items.length === 0;
  const known = new Map([...body.rows].map((row) => [row.dataset.key, row]));
  items.forEach((item, index) => {
    const key = String(keyOf(item));
    const row = known.get(key) ?? made('tr', {}, ...cells.map((_, column) => made('td', { className: titles[column].className })));
    known.delete(key);
    row.dataset.key = key;
    if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
    cells.forEach((content, column) => {
      row.cells[column].dataset.label = titles[column].textContent;
      const text = content(item, row.cells[column]);
      if (typeof text === 'string') say(row.cells[column], text);
    });
  });
  known.forEach((row) => row.remove());
}

/** Fills a cell with a text below a bar that shows a part of one; without a part there is only the text. */
export function bar(cell, part, text) {
  if (!cell.firstChild) cell.append(made('span', { className: 'bar' }, made('i')), made('span'));
  cell.firstChild.hidden = !isKnown(part);
  cell.firstChild.firstChild.style.width = `${100 * Math.min(1, part ?? 0)}%`;
  say(cell.lastChild, text);
}

/** Draws values of the last 15 minutes from zero to most; what is not known is a gap. */
export function chart(svg, at, values, most) {
  const end = at[at.length - 1];
  const runs = [];
  values.forEach((value, index) => {
    if (!isKnown(value)) return;
    if (!runs.length || !isKnown(values[index - 1]) || at[index] - at[index - 1] > 30_000) runs.push([]);
    runs[runs.length - 1].push([300 - (end - at[index]) / 3000, 39 - 37 * (most ? value / most : 0)].map((each) => each.toFixed(1)));
  });
  const draw = (path, ends) => path.setAttribute('d', runs.map((run) => `M${ends(run).join('L')}`).join(''));
  draw(svg.firstChild, (run) => [run[0], ...run]);
  draw(svg.lastChild, (run) => [[run[0][0], 40], ...run, [run[run.length - 1][0], 40]]);
}
