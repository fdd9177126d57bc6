-- SPDX-License-Identifier: Apache-2.0
-- A fragment of a queue: a hash and a sorted set in one slot, which move with it.
-- The hash has size, the number of messages; last, the number of the newest one; and for each message p<number>, the
-- payload, d<number>, how often it was delivered, s<number>, its session, n<number>, the number of the next message of the
-- session; for each session t<session>, the number of its newest message; and lost, how many messages were found to be
-- lost and are not reported yet.
-- The sorted set has the number of each message that may be received at a time in milliseconds: when it was sent, or its
-- lease ends. Only the first message of a session is there. The times of dead letters have 1e14 added. It also has
-- i<id> with the end of its time in the duplicate window, 2e14 added.

-------- state
-- Precedes the other parts.
-- KEYS[1]  the hash
-- KEYS[2]  the sorted set
local call, messages, order = redis.call, KEYS[1], KEYS[2]
local DEAD, IDS = 1e14, 2e14

local function text(number)
  return string.format('%.0f', number)
end

local size = (call('HGET', messages, 'size') or 0) + 0

-- Returns whether the sorted set was evicted alone; then its messages can never be received, and their sessions would wait.
local function isCut()
  return size > 0 and call('EXISTS', order) == 0
end

-------- session
-- Lets the next message of the session of a message be received.
local function follow(number)
  local session = call('HGET', messages, 's' .. number)
  local following = session and call('HGET', messages, 'n' .. number)
  if following then
    call('HDEL', messages, 'n' .. number)
    call('ZADD', order, text(now), following)
  elseif session then
    call('HDEL', messages, 't' .. session)
  end
end

-------- send
-- Stores a message; answers 1, or 2 if one with this id was stored, or 0 if the fragment is full.
-- ARGV[1]  the payload
-- ARGV[2]  the session, or empty
-- ARGV[3]  the id, or empty
-- ARGV[4]  the most messages, and the most ids
-- ARGV[5]  the milliseconds of the duplicate window
local session, id, most = ARGV[2], ARGV[3], ARGV[4] + 0
local over = text(IDS + now)
if (call('ZSCORE', order, 'i' .. id) or 0) + 0 > over + 0 then
  return 2
elseif (size >= most and not isCut()) or (id ~= '' and call('ZCOUNT', order, over, '+inf') >= most) then
  return 0
end
need('HSET')
need('ZADD')
need('ZREMRANGEBYSCORE', true)
if isCut() then
  need('UNLINK', true)
  local lost = size + (call('HGET', messages, 'lost') or 0)
  call('UNLINK', messages)
  call('HSET', messages, 'lost', lost)
  size = 0
end
local last = (call('HGET', messages, 'last') or 0) + 0
local number = text(math.max(clock[1] * 1e6 + clock[2], last + 1)) -- no number is used again, even after a loss
local before = session ~= '' and call('HGET', messages, 't' .. session)
call('HSET', messages, 'size', size + 1, 'last', number, 'p' .. number, ARGV[1])
if session ~= '' then
  call('HSET', messages, 's' .. number, session, 't' .. session, number)
end
if before then
  call('HSET', messages, 'n' .. before, number)
else
  call('ZADD', order, text(now), number)
end
if id ~= '' then
  call('ZREMRANGEBYSCORE', order, text(IDS), over)
  call('ZADD', order, text(IDS + now + ARGV[5]), 'i' .. id)
end
return 1

-------- receive
-- Leases a message; answers its number, how often it was delivered, its session, its payload, then the number of messages,
-- of those that have become dead letters now, and of those that were found to be lost; an empty number for no message.
-- ARGV[1]  the milliseconds of the lease
-- ARGV[2]  the most deliveries
-- ARGV[3]  dead for dead letters, or empty
local base = ARGV[3] == 'dead' and DEAD or 0
local died, lost, isChecked = 0, (size > 0 and call('HGET', messages, 'lost') or 0) + 0, false

local function check()
  if not isChecked then
    for _, command in ipairs({'HSET', 'ZADD', 'ZREM', 'HDEL', 'UNLINK'}) do
      need(command, true)
    end
    isChecked = true
  end
end

if isCut() then
  check()
  call('UNLINK', messages)
  size, lost = 0, lost + size
elseif lost > 0 then
  check()
  call('HDEL', messages, 'lost')
end
for _ = 1, 100 do
  local number = call('ZRANGEBYSCORE', order, text(base), text(base + now), 'LIMIT', 0, 1)[1]
  if not number then
    break
  end
  check()
  local payload = call('HGET', messages, 'p' .. number)
  local deliveries = (call('HGET', messages, 'd' .. number) or 0) + 1
  call('ZREM', order, number) -- a full server refuses nothing after a first write without memory
  if not payload then
    lost = lost + 1
  elseif base == 0 and deliveries > ARGV[2] + 0 then
    call('ZADD', order, text(DEAD + now), number)
    follow(number)
    died = died + 1
  else
    call('ZADD', order, text(base + now + ARGV[1]), number)
    call('HSET', messages, 'd' .. number, deliveries)
    local session = call('HGET', messages, 's' .. number) or ''
    return {number, deliveries, session, payload, size, died, lost}
  end
end
return {'', 0, '', '', size, died, lost}

-------- settle
-- Ends or renews the lease of a message; answers 1, or 0 if the message was delivered again, or is no longer here.
-- ARGV[1]  its number
-- ARGV[2]  how often it was delivered
-- ARGV[3]  dead for a dead letter, or empty
-- ARGV[4]  complete, abandon or renew
-- ARGV[5]  the milliseconds of the lease
local number, intent = ARGV[1], ARGV[4]
local base = ARGV[3] == 'dead' and DEAD or 0
local score = call('ZSCORE', order, number)
if not score or (score + 0 >= DEAD) ~= (base > 0) or call('HGET', messages, 'd' .. number) ~= ARGV[2] then
  return 0
end
for _, command in ipairs({'HSET', 'ZADD', 'ZREM', 'HDEL', 'UNLINK'}) do
  need(command, true)
end
call('ZREM', order, number)
if intent ~= 'complete' then
  call('ZADD', order, text(base + now + (intent == 'renew' and ARGV[5] or 0)), number)
elseif size <= 1 then
  call('UNLINK', messages)
else
  if base == 0 then
    follow(number)
  end
  call('HSET', messages, 'size', size - 1)
  call('HDEL', messages, 'p' .. number, 'd' .. number, 's' .. number)
end
return 1

-------- describe
-- Answers how many messages may be received now, are leased, wait for an earlier one of their session, and are dead letters.
if size == 0 or isCut() then
  return {0, 0, 0, 0}
end
local function count(from, to)
  return call('ZCOUNT', order, text(from), '(' .. text(to))
end
local ready, leased, dead = count(0, now + 1), count(now + 1, DEAD), count(DEAD, IDS)
return {ready, leased, math.max(0, size - ready - leased - dead), dead}
