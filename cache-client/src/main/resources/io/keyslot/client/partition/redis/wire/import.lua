-- SPDX-License-Identifier: Apache-2.0
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
