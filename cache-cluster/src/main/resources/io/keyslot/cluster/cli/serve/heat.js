// SPDX-License-Identifier: Apache-2.0
// The 16,384 slots as a picture, 512 in a row: by their owners, or by how much they have.

export const SLOTS = 16384;
const ROW = 512;
const color = (name) => {
  const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
};

/** Returns the name of the color of the partition at this place in the map. */
export const colorOf = (index) => `--p${index % 8}`;

/** Returns the owners of all slots from texts such as "0-5461,5463": the index of a partition for each, -1 for none. */
export function owners(partitions) {
  const all = new Int16Array(SLOTS).fill(-1);
  partitions.forEach((partition, index) => {
    for (const [, from, to] of partition.ranges.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g)) {
      all.fill(index, Math.min(SLOTS, Number(from)), Math.min(SLOTS, Number(to ?? from) + 1));
    }
  });
  return all;
}

/** Paints; amounts are shown by their logarithm, since one hot slot has a thousand times what others have. Silent ones are hatched. */
export function paint(canvas, { owner, partitions, amounts, chosen }) {
  const [cold, hot, ink, bad] = ['--shade', '--hot', '--ink', '--bad'].map(color);
  const ofPartitions = partitions.map((_, index) => color(colorOf(index)));
  const context = canvas.getContext('2d');
  const image = context.createImageData(ROW, SLOTS / ROW);
  const most = amounts ? Math.log1p(amounts.reduce((a, b) => Math.max(a, b), 0)) : 0;
  for (let slot = 0; slot < SLOTS; slot++) {
    let shown = cold;
    if (partitions[owner[slot]]?.state === 'silent') {
      shown = (Math.floor((slot % ROW) / 3) + Math.floor(slot / ROW)) % 3 ? cold : bad;
    } else if (amounts && most > 0) {
      const part = amounts[slot] === 0 ? 0 : 0.15 + 0.85 * Math.log1p(amounts[slot]) / most;
      shown = cold.map((from, i) => Math.round(from + (hot[i] - from) * part));
    } else if (!amounts && owner[slot] >= 0) {
      shown = ofPartitions[owner[slot]];
    }
    image.data.set([...(slot === chosen ? ink : shown), 255], slot * 4);
  }
  context.putImageData(image, 0, 0);
}

/** Lets a slot be chosen by a click. */
export function choosing(canvas, choose) {
  canvas.addEventListener('click', (event) => {
    const box = canvas.getBoundingClientRect();
    const x = Math.min(ROW - 1, Math.floor(((event.clientX - box.left) / box.width) * ROW));
    const y = Math.floor(((event.clientY - box.top) / box.height) * (SLOTS / ROW));
    choose(Math.min(SLOTS - 1, y * ROW + x));
  });
}
