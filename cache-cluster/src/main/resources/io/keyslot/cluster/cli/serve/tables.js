// SPDX-License-Identifier: Apache-2.0
// Tables that change in place, so that focus and selection stay; and how amounts are written.

const COUNT = new Intl.NumberFormat('en');

export const count = (amount) => (amount === null || amount === undefined ? '–' : COUNT.format(amount));

export function bytes(amount) {
  if (amount === null || amount === undefined) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let at = 0;
  let left = amount;
  while (left >= 1024 && at < units.length - 1) {
    left /= 1024;
    at++;
  }
  return `${at === 0 ? left : left.toFixed(1)} ${units[at]}`;
}

export const perSecond = (ofAMinute) => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(ofAMinute / 60);

/** Puts a text into an element, if it is another one. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Lets a table body have one row for each item, in their order.
 * cells: for each column [class, what is in it]; that is a text, or a function of the cell and the item.
 */
export function fill(body, items, keyOf, cells) {
  const known = new Map([...body.rows].map((row) => [row.dataset.key, row]));
  items.forEach((item, index) => {
    const key = String(keyOf(item));
    let row = known.get(key);
    known.delete(key);
    if (!row) {
      row = document.createElement('tr');
      row.dataset.key = key;
      cells.forEach(([kind]) => row.appendChild(document.createElement('td')).className = kind);
    }
    if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
    cells.forEach(([, content], column) => {
      const text = content(item, row.cells[column]);
      if (typeof text === 'string') say(row.cells[column], text);
    });
  });
  known.forEach((row) => row.remove());
}

/** Lets a list have these items. */
export function list(element, texts) {
  if (JSON.stringify(texts) === element.dataset.texts) return;
  element.dataset.texts = JSON.stringify(texts);
  element.replaceChildren(...texts.map((text) => Object.assign(document.createElement('li'), { textContent: text })));
}

/** Draws a line of values at times, as wide as its cell. */
export function spark(cell, points, label) {
  const SVG = 'http://www.w3.org/2000/svg';
  let line = cell.querySelector('polyline');
  if (!line) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('class', 'spark');
    svg.setAttribute('viewBox', '0 0 120 20');
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('role', 'img');
    line = svg.appendChild(document.createElementNS(SVG, 'polyline'));
    cell.replaceChildren(svg);
  }
  line.parentNode.setAttribute('aria-label', label);
  if (points.length === 0) return;
  const values = points.map((point) => point.value);
  const least = Math.min(...values);
  const range = Math.max(...values) - least || 1;
  const now = performance.now();
  line.setAttribute('points', [...points, { at: now, value: values[values.length - 1] }]
    .map(({ at, value }) => `${(120 - (now - at) / 1000).toFixed(1)},${(18 - (16 * (value - least)) / range).toFixed(1)}`)
    .join(' '));
}
