-- SPDX-License-Identifier: Apache-2.0
-- The transfer of the keys of moving slots. Values travel as pieces; export and import define their form.

-------- export
-- Answers the values of some keys for another instance, two elements for each of the first keys. For a string: its
-- value, and its time to live in milliseconds or -1. For anything else: a piece, and 0. A piece is a letter for the
-- type, the time to live in milliseconds or -1, the start of the next piece or nothing, and the words. Most values are
-- strings, and a list for each would cost half as much again. Answers a single piece if it is not the first.
-- KEYS     the keys
-- ARGV[1]  the approximate limit of bytes; the answer ends with the value that exceeded it
-- ARGV[2]  the number of members of an aggregate per request
-- ARGV[3]  for a piece that is not the first: the letter of its type
-- ARGV[4]  and its start
local MOST, STEP = ARGV[1] + 0, ARGV[2] + 0
local bytes = 0

local function count(word)
  bytes = bytes + #word
  return word
end

-- Adds the words that a cursor returns; returns where to continue.
local function walk(command, key, cursor, piece)
  repeat
    local page = redis.call(command, key, cursor, 'COUNT', STEP)
    cursor = page[1]
    for _, word in ipairs(page[2]) do
      piece[#piece + 1] = count(word)
    end
  until cursor == '0' or bytes >= MOST
  return cursor == '0' and '' or cursor
end

-- Adds members of a list; returns where to continue.
local function range(key, from, piece)
  local length = redis.call('LLEN', key)
  from = from + 0
  while from < length and bytes < MOST do
    for _, word in ipairs(redis.call('LRANGE', key, from, from + STEP - 1)) do
      piece[#piece + 1] = count(word)
    end
    from = from + STEP
  end
  return from < length and string.format('%d', from) or ''
end

local LETTERS = {string = 's', hash = 'h', list = 'l', set = 't', zset = 'z'}

local function piece(key, wanted, from)
  local left = redis.call('PTTL', key)
  if left == -2 then
    return {'n', -1, ''}
  end
  local letter = LETTERS[redis.call('TYPE', key).ok]
  if not letter or (wanted and wanted ~= letter) then
    return {'n', -1, ''}
  end
  local found = {letter, left, ''}
  if letter == 's' then
    found[4] = count(redis.call('GET', key))
  elseif letter == 'h' then
    found[3] = walk('HSCAN', key, from or '0', found)
  elseif letter == 't' then
    found[3] = walk('SSCAN', key, from or '0', found)
  elseif letter == 'z' then
    found[3] = walk('ZSCAN', key, from or '0', found)
  else
    found[3] = range(key, from or '0', found)
  end
  return found
end

if ARGV[3] then
  return {piece(KEYS[1], ARGV[3], ARGV[4])}
end
-- Strings are read together; MGET returns nothing for other types.
local answers, n, values = {}, 0, nil
for i = 1, #KEYS do
  local place = (i - 1) % STEP + 1
  if place == 1 then
    values = redis.call('MGET', unpack(KEYS, i, math.min(i + STEP - 1, #KEYS)))
  end
  local value = values[place]
  if value then
    bytes = bytes + #value
    answers[n + 1], answers[n + 2] = value, redis.call('PTTL', KEYS[i])
  else
    answers[n + 1], answers[n + 2] = piece(KEYS[i]), 0
  end
  n = n + 2
  if bytes >= MOST then
    break
  end
end
return answers

-------- guard
-- Precedes the parts that depend on fences. Returns whether all slots are fenced as required, and no coordinator of the
-- move with a higher number has set a fence here.
-- KEYS[1]      the fences
-- beginning    the required beginning of the fences: state, move, and spaces
-- coordinator  the number of the coordinator
-- first, last  the positions of the slots in ARGV
local function isGuarded(beginning, coordinator, first, last)
  local field = 'coordinator' .. string.sub(beginning, 2, -2)
  local fences = redis.call('HMGET', KEYS[1], field, unpack(ARGV, first, last))
  if not fences[1] or fences[1] + 0 > coordinator + 0 then
    return false
  end
  for i = 2, last - first + 2 do
    local fence = fences[i]
    if not fence or string.sub(fence, 1, #beginning) ~= beginning then
      return false
    end
  end
  return true
end

-------- import
-- Stores the values of keys from another instance; answers 1, or 0 if the slots are not fenced as required.
-- KEYS[1]  the fences
-- KEYS[2]  a key that never exists
-- KEYS[3]  and further: one for each piece
-- ARGV[1]  the required beginning of the fences
-- ARGV[2]  the number of the coordinator
-- ARGV[3]  the number of slots; the slots
--          the number of strings without expiry, which are the first pieces; their values
--          the number of strings with expiry, which are next; for each the value, and its time to live in milliseconds
--          for each other piece: the letter of its type, 1 if it is the first of its key or 0, its time to live in
--            milliseconds or -1, the number of words; the words
local slots = ARGV[3] + 0
if not isGuarded(ARGV[1], ARGV[2], 4, 3 + slots) then
  return 0
end

-- A full server refuses a write that needs memory as the first one of a script, but not after one that frees memory.
redis.call('SET', KEYS[2], '', 'XX')

local COMMANDS = {h = 'HSET', l = 'RPUSH', t = 'SADD'}

-- The maximal number of words per call.
local MOST = 4000

local function add(command, key, first, last)
  for from = first, last, MOST do
    redis.call(command, key, unpack(ARGV, from, math.min(from + MOST - 1, last)))
  end
end

-- The words are member and score; ZADD takes score and member.
local function addScored(key, first, last)
  for from = first, last, MOST do
    local words, n = {}, 0
    for i = from, math.min(from + MOST - 1, last), 2 do
      words[n + 1], words[n + 2] = ARGV[i + 1], ARGV[i]
      n = n + 2
    end
    redis.call('ZADD', key, unpack(words))
  end
end

local k, a = 3, 4 + slots

local eternal, n = {}, 0
for _ = 1, ARGV[a] + 0 do
  a = a + 1
  eternal[n + 1], eternal[n + 2] = KEYS[k], ARGV[a]
  n, k = n + 2, k + 1
end
if n > 0 then
  redis.call('MSET', unpack(eternal))
end

a = a + 1
for _ = 1, ARGV[a] + 0 do
  redis.call('SET', KEYS[k], ARGV[a + 1], 'PX', ARGV[a + 2])
  a, k = a + 2, k + 1
end

a = a + 1
for i = k, #KEYS do
  local key, letter, isFirst, left = KEYS[i], ARGV[a], ARGV[a + 1] == '1', ARGV[a + 2]
  local first = a + 4
  local last = first + ARGV[a + 3] - 1
  if isFirst then
    redis.call('UNLINK', key)
  end
  if letter == 'z' then
    addScored(key, first, last)
  elseif letter ~= 'n' then
    add(COMMANDS[letter], key, first, last)
  end
  if left ~= '-1' and letter ~= 'n' then
    redis.call('PEXPIRE', key, left)
  end
  a = last + 1
end
return 1

-------- purge
-- Removes some keys with any value; answers 1, or 0 if the slots are not fenced as required.
-- KEYS[1]  the fences
-- KEYS[2]  and further: the keys
-- ARGV[1]  the required beginning of the fences
-- ARGV[2]  the number of the coordinator
-- ARGV[3]  the number of slots; the slots
if not isGuarded(ARGV[1], ARGV[2], 4, 3 + ARGV[3]) then
  return 0
end
if KEYS[2] then
  redis.call('UNLINK', unpack(KEYS, 2))
end
return 1

-------- read_written
-- Answers the written keys of some slots: for each slot with a result its position and the keys, or false if the slot
-- is not fenced as required, or the written keys were lost.
-- KEYS[1]  the fences
-- KEYS[2]  and further: the written keys of each slot
-- ARGV[1]  the required beginning of the fences
-- ARGV[2]  the number of the coordinator
-- ARGV[3]  the maximal number of keys per slot
-- ARGV[4]  and further: the slots
local areAllGuarded = isGuarded(ARGV[1], ARGV[2], 4, #ARGV)
local answers = {}
for i = 2, #KEYS do
  local isThisGuarded = areAllGuarded or isGuarded(ARGV[1], ARGV[2], i + 2, i + 2)
  if not isThisGuarded or redis.call('SISMEMBER', KEYS[i], '') == 0 then
    answers[#answers + 1] = {i - 1, 0}
  elseif redis.call('SCARD', KEYS[i]) > 1 then
    local answer = {i - 1, 1}
    for _, key in ipairs(redis.call('SRANDMEMBER', KEYS[i], ARGV[3] + 1)) do
      if key ~= '' and #answer < ARGV[3] + 2 then
        answer[#answer + 1] = key
      end
    end
    answers[#answers + 1] = answer
  end
end
return answers

-------- forget_written
-- Removes keys from the written keys of a slot; answers 1, or 0 if the slot is not fenced as required.
-- KEYS[1]  the fences
-- KEYS[2]  the written keys
-- ARGV[1]  the required beginning of the fence
-- ARGV[2]  the number of the coordinator
-- ARGV[3]  the slot
-- ARGV[4]  and further: the keys
if not isGuarded(ARGV[1], ARGV[2], 3, 3) then
  return 0
end
if ARGV[4] then
  redis.call('SREM', KEYS[2], unpack(ARGV, 4))
end
return 1

-------- weights
-- Answers the approximate memory, in bytes, of each key.
-- KEYS  the keys
local COUNTS = {hash = 'HLEN', list = 'LLEN', set = 'SCARD', zset = 'ZCARD'}

-- The approximate bytes of an element, where the server does not report them.
local ELEMENT = 64

local function weight(key)
  local bytes = redis.pcall('MEMORY', 'USAGE', key)
  if type(bytes) == 'number' then
    return bytes
  elseif not bytes then
    return 0
  end
  local kind = redis.call('TYPE', key).ok
  if kind == 'string' then
    return redis.call('STRLEN', key) + ELEMENT
  end
  return COUNTS[kind] and redis.call(COUNTS[kind], key) * ELEMENT or 0
end

local answers = {}
for i = 1, #KEYS do
  answers[i] = weight(KEYS[i])
end
return answers
