// SPDX-License-Identifier: Apache-2.0
// The 16,384 slots as a picture, 128 in a row: by whom they are owned, or how much they have.

export const SLOTS = 16384;
const ROW = 128;

/** Returns the colour of the partition at this place in the map: far from those of its neighbours. */
export function colourOf(index, isDark) {
  return hsl((index * 137.508) % 360, 0.5, isDark ? 0.6 : 0.45 + 0.1 * (index % 2));
}

function hsl(hue, saturation, light) {
  const part = (n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (light - saturation * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

function parsed(colour) {
  const hex = colour.trim().slice(1);
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** Returns the owners of all slots from texts such as "0-5461,5463": the index of a partition for each, -1 for nobody. */
export function owners(partitions) {
  const all = new Int16Array(SLOTS).fill(-1);
  partitions.forEach((partition, index) => {
    for (const [, from, to] of partition.ranges.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g)) {
      all.fill(index, Math.min(SLOTS, Number(from)), Math.min(SLOTS, Number(to ?? from) + 1));
    }
  });
  return all;
}

/** Paints; amounts are shown by their logarithm, since one hot slot has a thousand times what others have. */
export function paint(canvas, { owner, amounts, chosen }) {
  const style = getComputedStyle(document.documentElement);
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const cold = parsed(style.getPropertyValue('--cold'));
  const hot = parsed(style.getPropertyValue('--hot'));
  const ink = parsed(style.getPropertyValue('--ink'));
  const context = canvas.getContext('2d');
  const image = context.createImageData(ROW, ROW);
  const most = amounts ? Math.log1p(amounts.reduce((a, b) => Math.max(a, b), 0)) : 0;
  for (let slot = 0; slot < SLOTS; slot++) {
    let colour = cold;
    if (amounts && most > 0) {
      const part = amounts[slot] === 0 ? 0 : 0.15 + 0.85 * Math.log1p(amounts[slot]) / most;
      colour = cold.map((from, i) => Math.round(from + (hot[i] - from) * part));
    } else if (!amounts && owner[slot] >= 0) {
      colour = colourOf(owner[slot], isDark);
    }
    image.data.set([...(slot === chosen ? ink : colour), 255], slot * 4);
  }
  context.putImageData(image, 0, 0);
}

/** Lets a slot be chosen by pointer and by keys. */
export function choosing(canvas, chosen, choose) {
  const steps = {
    ArrowLeft: () => chosen() - 1,
    ArrowRight: () => chosen() + 1,
    ArrowUp: () => chosen() - ROW,
    ArrowDown: () => chosen() + ROW,
    PageUp: () => chosen() - 16 * ROW,
    PageDown: () => chosen() + 16 * ROW,
    Home: () => chosen() - (chosen() % ROW),
    End: () => chosen() - (chosen() % ROW) + ROW - 1,
  };
  canvas.addEventListener('keydown', (event) => {
    if (steps[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      choose(Math.max(0, Math.min(SLOTS - 1, steps[event.key]())));
    }
  });
  canvas.addEventListener('click', (event) => {
    const box = canvas.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * ROW);
    const y = Math.floor(((event.clientY - box.top) / box.height) * ROW);
    choose(Math.max(0, Math.min(SLOTS - 1, y * ROW + x)));
  });
}
