// SPDX-License-Identifier: Apache-2.0
// Shows what the server tells, as it tells it.

import { SLOTS, choosing, colourOf, owners, paint } from '/heat.js';
import { bytes, count, fill, list, perSecond, say, spark } from '/tables.js';

const TWO_MINUTES = 120_000;
const $ = (id) => document.getElementById(id);
const state = {
  partitions: [],
  owner: new Int16Array(SLOTS).fill(-1),
  survey: null,
  heat: {},
  measure: 'owner',
  chosen: 0,
  isSignedIn: false,
  // Kept nowhere else: whatever is served at this address later reads what the browser stores for it.
  token: '',
  keys: new Map(),
};

// Partitions

function loadOf(partition) {
  return state.survey?.rows.find((row) => row.name === partition.name);
}

function reported(partition, write) {
  const load = loadOf(partition);
  if (!load || state.survey.callsUnknown.includes(partition.name)) return '–';
  return state.survey.clients === 0 ? 'not reported' : write(load);
}

function showPartitions() {
  fill($('partition-rows'), state.partitions, (row) => row.name, [
    ['', (row, cell) => {
      if (cell.dataset.name !== row.name) {
        cell.dataset.name = row.name;
        const swatch = Object.assign(document.createElement('span'), { className: 'swatch' });
        cell.replaceChildren(swatch, row.name);
      }
      cell.firstChild.style.background = colour(state.partitions.indexOf(row));
      return null;
    }],
    ['', (row, cell) => {
      cell.className = row.state;
      const member = row.membership === 'active' ? '' : `, ${row.membership}`;
      return row.state + member + (row.problem ? `: ${row.problem}` : '');
    }],
    ['', (row) => row.address],
    ['n', (row) => count(row.slots)],
    ['n', (row) => count(row.keys)],
    ['', (row, cell) => {
      spark(cell, state.keys.get(row.name) ?? [], `Keys of ${row.name} in the last two minutes`);
      return null;
    }],
    ['n', (row) => bytes(row.usedBytes) + (row.mostBytes > 0 ? ` of ${bytes(row.mostBytes)}` : '')],
    ['n', (row) => reported(row, (load) => perSecond(load.calls))],
    ['n', (row) => reported(row, (load) => `${bytes(Math.round(load.traffic / 60))}`)],
  ]);
}

function colour(index) {
  return `rgb(${colourOf(index, matchMedia('(prefers-color-scheme: dark)').matches).join(' ')})`;
}

function remember(rows) {
  const now = performance.now();
  rows.filter((row) => typeof row.keys === 'number').forEach((row) => {
    const points = state.keys.get(row.name) ?? [];
    // The last one that is too old is where the line begins.
    while (points.length > 1 && now - points[1].at > TWO_MINUTES) points.shift();
    if (points.length) points.push({ at: now, value: points[points.length - 1].value });
    points.push({ at: now, value: row.keys });
    state.keys.set(row.name, points);
  });
}

function hearPartitions(told) {
  showTrouble(told.problem);
  if (!told.rows) return;
  const isOther = JSON.stringify(told.rows.map((row) => row.ranges)) !== JSON.stringify(state.partitions.map((row) => row.ranges));
  state.partitions = told.rows;
  say($('map'), `Map ${told.map}${told.doubt ? `; there may be a newer one: ${told.doubt}` : ''}`);
  remember(told.rows);
  showPartitions();
  if (isOther) {
    state.owner = owners(told.rows);
    showLegend();
    showHeat();
  }
}

// Slots

function showLegend() {
  const key = JSON.stringify(state.partitions.map((row) => row.name));
  if ($('legend').dataset.key === key) return;
  $('legend').dataset.key = key;
  $('legend').replaceChildren(...state.partitions.map((row, index) => {
    const swatch = Object.assign(document.createElement('span'), { className: 'swatch' });
    swatch.style.background = colour(index);
    const item = document.createElement('li');
    item.append(swatch, row.name);
    return item;
  }));
}

function ownerName(slot) {
  return state.partitions[state.owner[slot]]?.name ?? 'nobody';
}

const WRITE = {
  keys: (amount) => `${count(amount)} ${amount === 1 ? 'key' : 'keys'}`,
  bytes: (amount) => bytes(amount),
  calls: (amount) => `${perSecond(amount)} calls/s`,
};

function showChosen() {
  const amounts = state.heat[state.measure];
  const amount = amounts ? `: ${WRITE[state.measure](amounts[state.chosen])}` : '';
  say($('chosen'), `Slot ${state.chosen}, ${ownerName(state.chosen)}${amount}`);
}

function showHeat() {
  paint($('heat'), { owner: state.owner, amounts: state.heat[state.measure], chosen: state.chosen });
  showChosen();
  const amounts = state.heat[state.measure] ?? [];
  const top = [...amounts.entries()].filter(([, amount]) => amount > 0).sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 10);
  fill($('top-rows'), top, ([slot]) => slot, [
    ['n', ([slot]) => String(slot)],
    ['', ([slot]) => ownerName(slot)],
    ['n', ([, amount]) => WRITE[state.measure](amount)],
  ]);
}

function choose(slot) {
  state.chosen = slot;
  $('slot').value = slot;
  showHeat();
}

async function loadHeat() {
  const measure = state.measure;
  if (measure !== 'owner' && state.survey) {
    const answer = await fetch(`/api/heat/${measure}`);
    if (answer.ok) state.heat[measure] = (await answer.json()).slots;
  }
  showHeat();
}

function hearSurvey(told) {
  if (!told.rows) {
    list($('notes'), [told.problem]);
    return;
  }
  state.survey = told;
  state.heat = {};
  list($('notes'), told.notes.map((note) => `${note}.`));
  showPartitions();
  loadHeat();
  showHot();
}

// Moves

function hearMoves(told) {
  const moves = told.rows ?? [];
  say($('no-moves'), told.problem ?? (moves.length ? '' : 'No moves.'));
  $('moves-table').hidden = moves.length === 0;
  fill($('move-rows'), moves, (move) => move.id, [
    ['', (move) => move.id],
    ['', (move) => `${move.from} → ${move.to}, slots ${move.slots}`],
    ['', (move) => (move.isPaused ? `${move.phase}, paused` : move.phase) + (move.step ? `: ${move.step}` : '')],
    ['', showCopied],
    ['n', (move) => (move.slotsCommitted === undefined ? '–' : count(move.slotsCommitted))],
    ['n', (move) => (move.bytesPerSecond === undefined ? '–' : `${bytes(move.bytesPerSecond)}/s`)],
    ['', (move) => [...move.hints, move.trouble].filter(Boolean).join('; ')],
    ['', showOrders],
  ]);
}

function showCopied(move, cell) {
  if (!move.estimated) return '–';
  let bar = cell.querySelector('progress');
  if (!bar) {
    bar = document.createElement('progress');
    cell.replaceChildren(bar, document.createElement('div'));
  }
  bar.max = Math.max(1, move.estimated.bytes);
  bar.value = Math.min(bar.max, move.copied.bytes);
  bar.setAttribute('aria-label', `Copied of ${move.id}`);
  say(cell.lastChild, `${bytes(move.copied.bytes)} of about ${bytes(move.estimated.bytes)}`);
  return null;
}

function showOrders(move, cell) {
  const orders = state.isSignedIn ? [move.isPaused ? 'resume' : 'pause', 'abort'] : [];
  if (cell.dataset.orders === orders.join()) return null;
  cell.dataset.orders = orders.join();
  cell.replaceChildren(...orders.map((order) => {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: order });
    button.setAttribute('aria-label', `${order} ${move.id}`);
    button.addEventListener('click', () => give(order, move.id, button));
    return button;
  }));
  return orders.length ? null : 'with the token';
}

async function give(order, id, button) {
  if (order === 'abort' && !confirm(`Give ${id} up? Everything stays where it was.`)) return;
  button.disabled = true;
  const answer = await answered('/api/moves', { method: 'POST', body: new URLSearchParams({ order, id }) });
  button.disabled = false;
  say($('ordered'), answer.problem ? `Not done: ${answer.problem}` : `${order} ${id}: done, map ${answer.map}`);
}

// Keys

function ask(path, options = {}) {
  return fetch(path, { ...options, headers: state.token ? { Authorization: `Bearer ${state.token}` } : {} });
}

async function answered(path, options) {
  try {
    return await (await ask(path, options)).json();
  } catch (failure) {
    return { problem: `no answer (${failure.message})` };
  }
}

function showSession(session) {
  state.isSignedIn = session.isSignedIn;
  $('read-only').hidden = session.isPossible;
  $('sign-in').hidden = !session.isPossible || session.isSignedIn;
  $('signed-in').hidden = !session.isSignedIn;
  showHot();
}

$('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  state.token = $('token').value;
  $('token').value = '';
  const answer = await answered('/api/session');
  say($('sign-in-answer'), answer.problem ?? (answer.isSignedIn ? '' : 'That is not the token'));
  if (answer.isSignedIn) {
    showSession(answer);
    $('key').focus();
  }
});

$('where').addEventListener('submit', async (event) => {
  event.preventDefault();
  const answer = await ask(`/api/where?key=${encodeURIComponent($('key').value)}`);
  const fields = await answer.json();
  const order = ['entity key', 'slot', 'partition', 'address', 'state', 'entry', 'time to live', 'size', 'stamp', 'slot epoch', 'problem'];
  $('found').replaceChildren(...order.filter((name) => name in fields).flatMap((name) => [
    Object.assign(document.createElement('dt'), { textContent: name }),
    Object.assign(document.createElement('dd'), { textContent: fields[name] }),
  ]));
  if (fields.slot !== undefined) choose(Number(fields.slot));
});

async function showHot() {
  if (!state.isSignedIn || !state.survey) return;
  const answer = await ask('/api/hot');
  if (!answer.ok) return;
  const most = await answer.json();
  showMost($('hot-rows'), most.calls, 'callsPerMinute');
  showMost($('large-rows'), most.bytes, 'bytes');
  say($('no-hot'), most.calls.slots.length ? '' : 'No client has reported calls in the last minutes.');
}

function showMost(rows, most, by) {
  const named = [...most.groups.map((row) => ({ ...row, kind: 'group' })), ...most.keys.map((row) => ({ ...row, kind: 'key' }))];
  fill(rows, named.sort((a, b) => b[by] - a[by]), (row) => `${row.kind} ${row.name}`, [
    ['', (row) => row.name],
    ['', (row) => row.kind],
    ['', (row) => row.partition],
    ['n', (row) => String(row.slot)],
    ['n', (row) => (row.callsPerMinute ? perSecond(row.callsPerMinute) : '–')],
    ['n', (row) => (row.keys ? count(row.keys) : '–')],
    ['n', (row) => (row.keys ? bytes(row.bytes) : '–')],
  ]);
}

// All together

function showTrouble(problem) {
  $('trouble').hidden = !problem;
  say($('trouble'), problem ?? '');
}

function listen() {
  const events = new EventSource('/api/events');
  const on = (kind, hear) => events.addEventListener(kind, (event) => {
    say($('live'), 'Live');
    hear(JSON.parse(event.data));
  });
  on('partitions', hearPartitions);
  on('moves', hearMoves);
  on('survey', hearSurvey);
  on('trouble', (told) => showTrouble(told.problem));
  events.addEventListener('open', () => say($('live'), 'Live'));
  events.addEventListener('error', () => {
    say($('live'), 'Not connected: what is here is old');
    // A browser gives up after a refusal; the page does not.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
  });
}

$('measures').addEventListener('change', (event) => {
  state.measure = event.target.value;
  loadHeat();
});
$('slot').addEventListener('change', () => choose(Math.max(0, Math.min(SLOTS - 1, Number($('slot').value) || 0))));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  delete $('legend').dataset.key;
  showPartitions();
  showLegend();
  showHeat();
});
// What does not change is not told; time goes on all the same.
setInterval(() => document.hidden || showPartitions(), 2000);
choosing($('heat'), () => state.chosen, choose);
showHeat();
listen();
fetch('/api/session').then((answer) => answer.json()).then(showSession);
