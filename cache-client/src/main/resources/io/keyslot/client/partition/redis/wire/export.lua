-- SPDX-License-Identifier: Apache-2.0
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
