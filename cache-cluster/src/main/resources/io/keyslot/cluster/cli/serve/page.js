// SPDX-License-Identifier: Apache-2.0
// Shows what the server publishes.

import { SLOTS, choosing, colorOf, owners, paint } from '/heat.js';
import { bar, bytes, chart, clock, count, fill, isKnown, latency, made, perSecond, percent, say, seconds } from '/tables.js';

const $ = (id) => document.getElementById(id);
const state = {
  partitions: [],
  owner: new Int16Array(SLOTS).fill(-1),
  heat: {},
  measure: 'calls',
  chosen: 0,
  figures: null,
  isSignedIn: false,
  // Kept nowhere else: a page that is served later at this address could read what the browser stores for it.
  token: '',
};

// Health

function showHealth({ level, text, since, cost }) {
  $('health').className = level;
  say($('health'), `${text}${isKnown(since) ? ` since ${clock(since)}` : ''}${cost ? `: ${cost}` : ''}`);
  document.title = `${level === 'down' ? '▲ ' : ''}${text} – Keyslot`;
  const icon = level === 'down' ? '/alert.svg' : '/icon.svg';
  if ($('icon').getAttribute('href') !== icon) $('icon').setAttribute('href', icon);
}

// Partitions

const color = (index) => `var(${colorOf(index)})`;
const isSilent = (row) => row.state === 'silent';

function hearPartitions(told) {
  if (!told.rows) return showHealth({ level: 'warning', text: told.problem });
  state.partitions = told.rows;
  state.owner = owners(told.rows);
  showHealth(told.health);
  say($('answered'), seconds(told.health.answered || null));
  showPartitions();
  showFigures();
  showShares();
  showHeat();
}

function showPartitions() {
  fill($('partition-rows'), state.partitions, (row) => row.name, [
    (row, cell) => {
      if (!cell.firstChild) cell.append(made('span', { className: 'swatch' }), row.name, made('small', { textContent: row.address }));
      cell.firstChild.style.background = color(state.partitions.indexOf(row));
      cell.firstChild.classList.toggle('hatched', isSilent(row));
    },
    (row, cell) => {
      if (!cell.firstChild) cell.append(made('span'));
      cell.firstChild.className = row.state;
      const member = row.membership === 'active' ? '' : `, ${row.membership}`;
      say(cell.firstChild, row.state + (isKnown(row.since) && row.state !== 'connecting' ? ` since ${clock(row.since)}` : '') + member);
    },
    (row, cell) => {
      const part = row.mostBytes ? row.usedBytes / row.mostBytes : null;
      bar(cell, part, bytes(row.usedBytes) + (row.mostBytes ? ` of ${bytes(row.mostBytes)}` : isKnown(row.usedBytes) ? ', no maxmemory' : ''));
    },
    (row) => count(row.keys),
    (row) => `${count(row.slots)} (${percent(row.slots / SLOTS)})`,
    (row) => (isKnown(row.calls) ? `≈ ${perSecond(row.calls)}` : '–'),
    (row) => count(row.evicted),
    (row) => [row.version, { master: 'primary', slave: 'replica' }[row.role] ?? row.role].filter(Boolean).join(', ') || '–',
  ]);
}

function showShares() {
  const owning = state.partitions.filter((row) => row.slots > 0);
  $('shares').setAttribute('aria-label', 'Shares of the slots: '
    + owning.map((row) => `${row.name} ${percent(row.slots / SLOTS)}${isSilent(row) ? ', silent' : ''}`).join(', '));
  $('shares').replaceChildren(...owning.map((row) => {
    const text = isSilent(row) ? `${row.name} silent` : `${row.name} ${percent(row.slots / SLOTS)}`;
    const share = made('span', { className: isSilent(row) ? 'hatched' : '' }, made('b', { textContent: text }));
    share.style.flexGrow = row.slots;
    share.style.background = color(state.partitions.indexOf(row));
    return share;
  }));
}

// Figures, caches and events

const last = (values) => values[values.length - 1];

function showFigure(id, label, at, values, write, detail, scale = 0) {
  const SVG = 'http://www.w3.org/2000/svg';
  let card = $(id);
  if (!card) {
    const svg = document.createElementNS(SVG, 'svg');
    Object.entries({ viewBox: '0 0 300 40', preserveAspectRatio: 'none', role: 'img' }).forEach((each) => svg.setAttribute(...each));
    svg.append(document.createElementNS(SVG, 'path'), document.createElementNS(SVG, 'path'));
    card = made('li', { id }, made('span', { textContent: label }), made('strong'), made('span', { className: 'note' }), svg,
      made('small', { className: 'note' }, made('span', { textContent: '−15 min' }), made('span')));
    $('figures').append(card);
  }
  const most = Math.max(scale, ...values.filter(isKnown));
  say(card.children[1], write(last(values)));
  say(card.children[2], detail);
  say(card.lastChild.lastChild, isKnown(last(values)) ? `0 to ${write(most)}` : 'not known');
  card.children[3].setAttribute('aria-label', `${label} in the last 15 minutes, from 0 to ${write(most)}`);
  chart(card.children[3], at, values, most);
}

function showFigures() {
  if (!state.figures) return;
  const { at, calls, hits, misses, p99Micros, usedBytes, clients, reporting, isComplete, caches } = state.figures;
  const ratios = hits.map((some, index) => (isKnown(some) && some + misses[index] > 0 ? some / (some + misses[index]) : null));
  const answering = state.partitions.filter((row) => isKnown(row.usedBytes));
  const maximum = answering.every((row) => row.mostBytes > 0) ? answering.reduce((sum, row) => sum + row.mostBytes, 0) : 0;
  const silent = state.partitions.filter(isSilent).map((row) => row.name).join(', ');
  const limit = maximum ? `${percent(last(usedBytes) / maximum)} of ${bytes(maximum)}` : 'no maxmemory';
  showFigure('calls', 'Calls/s', at, calls, perSecond, 'reads and writes');
  showFigure('hit-ratio', 'Hit ratio', at, ratios, percent, isKnown(last(misses)) ? `${perSecond(last(misses))} misses/s` : '–', 1);
  showFigure('p99', 'p99', at, p99Micros, latency, 'of commands to servers');
  showFigure('memory', 'Memory', at, usedBytes, bytes, limit + (silent ? `, without ${silent}` : ''), maximum);
  showFigure('clients', 'Clients', at, clients, count,
    reporting ? `${isComplete ? '' : 'only '}${count(reporting)} report${reporting === 1 ? 's' : ''} calls` : 'none reports calls');
  $('no-caches').hidden = reporting > 0;
  fill($('cache-rows'), caches, (cache) => cache.name, [
    (cache) => cache.name,
    (cache, cell) => {
      const reads = cache.hits + cache.misses;
      bar(cell, reads ? cache.hits / reads : null, reads ? percent(cache.hits / reads) : '–');
    },
    ...['hits', 'misses', 'puts', 'removals', 'loads'].map((field) => (cache) => perSecond(cache[field])),
  ]);
}

function hearEvents({ rows = [] }) {
  $('no-events').hidden = rows.length > 0;
  fill($('event-rows'), rows, (event) => `${event.at} ${event.text}`, [(event) => seconds(event.at || null), (event) => event.text]);
}

function hearFeeds({ rows }) {
  $('no-feeds').hidden = rows.length > 0;
  fill($('feed-rows'), rows, (feed) => `${feed.cache} ${feed.group} ${feed.partition}`, [
    (feed) => feed.cache ?? 'silent',
    (feed) => feed.group ?? '–',
    (feed) => feed.partition,
    (feed) => feed.holder ?? '–',
    (feed) => count(feed.lag),
    (feed) => count(feed.changes),
  ]);
}

function hearQueues({ rows, isComplete }) {
  $('no-queues').hidden = isComplete && rows.length > 0;
  say($('no-queues'), isComplete ? 'No queue has messages.' : 'There may be more: the first million keys of each partition were searched.');
  fill($('queue-rows'), rows, (queue) => `${queue.queue} ${queue.partition}`, [
    (queue) => queue.queue ?? 'silent',
    (queue) => queue.partition,
    ...['ready', 'leased', 'waiting', 'dead'].map((field) => (queue) => count(queue[field])),
  ]);
}

// Slots

const ownerName = (slot) => state.partitions[state.owner[slot]]?.name ?? '–';

const WRITE = { keys: (amount) => `${count(amount)} ${amount === 1 ? 'key' : 'keys'}`, bytes, calls: (amount) => `${perSecond(amount)} calls/s` };

function showHeat() {
  const amounts = state.heat[state.measure];
  const amount = amounts ? `: ${WRITE[state.measure](amounts[state.chosen])}` : '';
  paint($('heat'), { ...state, amounts: amounts ?? (state.measure === 'owner' ? undefined : []) });
  say($('chosen'), `Slot ${state.chosen}, ${ownerName(state.chosen)}${amount}`);
  const top = [...(amounts ?? []).entries()].filter(([, each]) => each > 0).sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 10);
  fill($('top-rows'), top, ([slot]) => slot, [
    ([slot]) => String(slot),
    ([slot]) => ownerName(slot),
    ([, each]) => WRITE[state.measure](each),
  ]);
}

function choose(slot) {
  $('slot').value = state.chosen = slot;
  showHeat();
}

async function loadHeat(measure = state.measure) {
  state.measure = measure;
  if ($('slots').hidden) return;
  if (measure !== 'owner') state.heat[measure] = (await answered(`/api/heat/${measure}`)).slots;
  showHeat();
}

function hearSurvey(told) {
  $('notes').replaceChildren(...(told.notes ?? [told.problem]).map((note) => made('li', { textContent: `${note}.` })));
  loadHeat();
  showHot();
}

// Moves

function hearMoves({ problem, rows: moves = [] }) {
  say($('no-moves'), problem ?? (moves.length ? '' : 'No moves.'));
  say($('moves-tab'), moves.length ? `Moves (${moves.length})` : 'Moves');
  fill($('move-rows'), moves, (move) => move.id, [
    (move) => move.id,
    (move) => `${move.from} → ${move.to}, slots ${move.slots}`,
    (move) => move.phase,
    (move, cell) => {
      if (!move.estimated) return '–';
      bar(cell, move.copied.bytes / Math.max(1, move.estimated.bytes), `${bytes(move.copied.bytes)} of about ${bytes(move.estimated.bytes)}`);
    },
    (move) => count(move.slotsCommitted),
    (move) => (isKnown(move.bytesPerSecond) ? `${bytes(move.bytesPerSecond)}/s` : '–'),
    (move) => move.hints.join('; '),
    showOrders,
  ]);
}

function showOrders(move, cell) {
  const orders = state.isSignedIn ? [move.isPaused ? 'resume' : 'pause', 'abort'] : [];
  if (cell.dataset.orders === orders.join()) return;
  cell.dataset.orders = orders.join();
  cell.replaceChildren(...orders.map((order) => {
    const button = made('button', { type: 'button', textContent: order });
    button.setAttribute('aria-label', `${order} ${move.id}`);
    button.addEventListener('click', () => give(order, move.id, button));
    return button;
  }));
  if (!orders.length) say(cell, 'after sign-in');
}

async function give(order, id, button) {
  if (order === 'abort' && !confirm(`Abort ${id}? All slots stay where they are.`)) return;
  button.disabled = true;
  const answer = await answered(`/api/moves?${new URLSearchParams({ order, id })}`, { method: 'POST' });
  button.disabled = false;
  say($('ordered'), answer.problem ? `Not done: ${answer.problem}` : `${order} ${id}: done`);
}

// Keys

function ask(path, options = {}) {
  return fetch(path, { ...options, headers: state.token ? { Authorization: `Bearer ${state.token}` } : {} });
}

const answered = (path, options) => ask(path, options).then((answer) => answer.json()).catch((failure) => ({ problem: `no answer (${failure.message})` }));

function showSession(session) {
  state.isSignedIn = session.isSignedIn;
  say($('version'), session.version);
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
  const fields = await answered(`/api/where?key=${encodeURIComponent($('key').value)}`);
  const order = ['entity key', 'slot', 'partition', 'address', 'state', 'entry', 'time to live', 'size', 'problem'];
  $('found').replaceChildren(...order.filter((name) => name in fields).flatMap((name) => [
    made('dt', { textContent: name }),
    made('dd', { textContent: fields[name] }),
  ]));
  if (fields.slot !== undefined) choose(Number(fields.slot));
});

async function showHot() {
  if (!state.isSignedIn) return;
  const { calls, bytes: largest } = await answered('/api/hot');
  if (!calls) return;
  const rows = [calls, largest].flatMap(({ groups, keys }) => [groups.map((row) => ({ ...row, kind: 'group' })), keys.map((row) => ({ ...row, kind: 'key' }))].flat());
  const different = new Map(rows.map((row) => [`${row.kind} ${row.name}`, row]));
  fill($('hot-rows'), [...different.values()], (row) => `${row.kind} ${row.name}`, [
    (row) => row.name,
    (row) => row.kind,
    (row) => row.partition,
    (row) => String(row.slot),
    (row) => (row.callsPerMinute ? `≈ ${perSecond(row.callsPerMinute)}` : '–'),
    (row) => (row.keys ? count(row.keys) : '–'),
    (row) => (row.keys ? bytes(row.bytes) : '–'),
  ]);
}

// All together

const tabs = [...document.querySelectorAll('[role=tab]')];

function openTab(opened) {
  tabs.forEach((tab) => {
    tab.setAttribute('aria-selected', String(tab === opened));
    tab.tabIndex = tab === opened ? 0 : -1;
    $(tab.getAttribute('aria-controls')).hidden = tab !== opened;
  });
  loadHeat();
}

tabs.forEach((tab, index) => {
  tab.addEventListener('click', () => openTab(tab));
  tab.addEventListener('keydown', (event) => {
    const next = tabs[(index + ({ ArrowLeft: tabs.length - 1, ArrowRight: 1 }[event.key] ?? 0)) % tabs.length];
    openTab(next);
    if (next !== tab) next.focus();
  });
});

function listen() {
  const events = new EventSource('/api/events');
  const on = (kind, hear) => events.addEventListener(kind, (event) => hear(JSON.parse(event.data)));
  on('partitions', hearPartitions);
  on('figures', (told) => {
    state.figures = told;
    showFigures();
  });
  on('events', hearEvents);
  on('feeds', hearFeeds);
  on('queues', hearQueues);
  on('moves', hearMoves);
  on('survey', hearSurvey);
  events.addEventListener('error', () => {
    showHealth({ level: 'warning', text: 'No connection to keyslot serve', cost: `what is shown is of ${$('answered').textContent}` });
    // A browser gives up after a refusal; the page does not.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
  });
}

$('measures').addEventListener('change', ({ target }) => loadHeat(target.value));
$('slot').addEventListener('change', () => choose(Math.max(0, Math.min(SLOTS - 1, Number($('slot').value) || 0))));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showHeat);
choosing($('heat'), choose);
showHeat();
listen();
fetch('/api/session').then((answer) => answer.json()).then(showSession);
