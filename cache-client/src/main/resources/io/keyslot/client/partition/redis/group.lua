-- SPDX-License-Identifier: Apache-2.0
-- Does things to the members of one group together, or nothing at all. Command.Group says what that means, GroupRequest
-- writes it down, and GroupAnswer reads what is answered.
--
-- KEYS[1]  the stamps of the group's aggregates, a hash: name -> epoch and stamp, 12 bytes
-- KEYS[2]  the group's lock
-- KEYS[3]  a key that never exists
-- KEYS[4]  and further, in their order: the key of each expected entry, of each aggregate, of each instruction; one that
--          puts has several
-- ARGV[1]  the epoch, 4 bytes
-- ARGV[2]  the stamp of what is changed, 8 bytes
-- ARGV[3]  what the lock must hold, empty for whatever
-- ARGV[4]  1 if a full server has to refuse all before the first change, or 0
-- ARGV[5]  and further:
--          how many entries are expected; for each a header with its stamp, zeros for none
--          how many aggregates are used; for each a header, the name, the type, and the expected stamp or empty
--          how many commands have to be allowed; their names
--          the instructions, each with its arguments
--
-- Answers 0 and the answers of the instructions; or 1 and the key that has another stamp; or 2, the key of another type
-- and that type; or 3, the key and why it is impossible; or 4 if the lock was lost. A key is said by its place in KEYS.
if ARGV[3] ~= '' and call('GET', KEYS[2]) ~= ARGV[3] then
  return {4}
end

local k, a = 3, 6 -- the last of KEYS that was read, the next of ARGV
for i = a, a + ARGV[5] - 1 do
  k = k + 1
  if try('GETRANGE', KEYS[k], '0', '21') ~= ARGV[i] then
    local found, stamp = stored(KEYS[k], ARGV[i])
    if (found == 'entry' and stamp or ABSENT) ~= string.sub(ARGV[i], 15, 22) then
      return {1, k}
    end
  end
end
a = a + ARGV[5]

local aggregates, wrong = {}, nil
for i = a + 1, a + 4 * ARGV[a], 4 do
  k = k + 1
  local state, stamp, found = look(KEYS[k], ARGV[i], ARGV[i + 1], ARGV[i + 2])
  if ARGV[i + 3] ~= '' and ARGV[i + 3] ~= stamp then
    return {1, k}
  elseif state == 'else' and not wrong then
    wrong = {2, k, found}
  end
  aggregates[KEYS[k]] = {name = ARGV[i + 1], state = state, stamp = stamp}
end
if wrong then
  return wrong
end
a = a + 4 * ARGV[a] + 1

-- A user who may not do one of the things must not do the others. Servers before 7.0 cannot be asked.
if redis.acl_check_cmd then
  for i = a + 1, a + ARGV[a] do
    if not redis.acl_check_cmd(ARGV[i], NONE) then
      return redis.error_reply('NOPERM a command of a group is not allowed')
    end
  end
end
a = a + ARGV[a] + 1

-- A full server refuses what takes memory if it is the first write of a script, but not behind one that frees memory.
if ARGV[4] == '1' then
  call('SET', NONE, '', 'XX')
end

-- Stores entries that expire at one time if they are new and at another if they replace an entry.
local function put(onCreation, onUpdate, first, last)
  local plain, m = {}, 0 -- keys and entries, one behind the other, of those that never expire
  local isSame, isKept = onCreation == onUpdate, onCreation == 'never' and onUpdate == 'unchanged'
  for i = first, last do
    k = k + 1
    local key, expiry = KEYS[k], onUpdate
    -- Mostly nothing expires, and there is nothing to be kept: then it does not matter what was there.
    if not isSame and ((isKept and call('PTTL', key) < 0) or stored(key, ARGV[i]) ~= 'entry') then
      expiry = onCreation
    end
    if expiry == 'never' then
      plain[m + 1], plain[m + 2] = key, ARGV[i]
      m = m + 2
    elseif expiry == 'unchanged' then
      call('SET', key, ARGV[i], 'KEEPTTL')
    else
      call('SET', key, ARGV[i], 'PX', expiry)
    end
  end
  if m > 0 then
    call('MSET', unpack(plain))
  end
end

-- Stores an entry in parts.
local function putInParts(key, onCreation, onUpdate, inParts, first, last)
  local expiry = stored(key, inParts) == 'entry' and onUpdate or onCreation
  if expiry == 'unchanged' then
    local left = call('PTTL', key)
    expiry = left < 0 and 'never' or string.format('%.0f', left)
  end
  call('UNLINK', key)
  call('HSET', key, MANIFEST, inParts)
  for i = first, last do
    call('HSET', key, string.format('%d', i - first), ARGV[i])
  end
  if expiry ~= 'never' then
    call('PEXPIRE', key, expiry)
  end
end

-- Returns an entry; one in parts as its manifest and the parts.
local function get(key)
  local found = readAs('GET', key)
  if found ~= nil then
    return found
  end
  local inParts = manifest(key)
  if not inParts then
    return ''
  end
  local whole = {inParts}
  for i = 1, struct.unpack('>I4', string.sub(inParts, -4)) do
    whole[i + 1] = call('HGET', key, string.format('%d', i - 1)) or ''
  end
  return whole
end

local answers, n = {0}, 1

-- Does one instruction; returns how many arguments it has, and why it was not done.
local function step(op, key, a)
  local aggregate, length, answer, refusal = aggregates[key], 0, nil, nil
  if op == 'list' then -- how long they live, how many, names; the key is the index
    length = 2 + ARGV[a + 1]
    local scored = {}
    for i = a + 2, a + length - 1 do
      scored[#scored + 1], scored[#scored + 2] = '0', ARGV[i]
    end
    list(key, ARGV[a], scored)
    return length
  elseif op == 'remove' then
    answer = call('UNLINK', key)
  elseif op == 'get' then
    answer = get(key)
  elseif op == 'large' then -- expiry of a new one, expiry of another, how many parts, manifest, parts
    length = 4 + ARGV[a + 2]
    putInParts(key, ARGV[a], ARGV[a + 1], ARGV[a + 3], a + 4, a + length - 1)
    answer = 1
  elseif op == 'ask' then -- command, how many arguments, arguments
    length = 2 + ARGV[a + 1]
    answer = call(ARGV[a], aggregate.state == 'stale' and NONE or key, unpack(ARGV, a + 2, a + length - 1))
  elseif op == 'stamp' then
    answer = aggregate.stamp
  elseif op == 'ttl' then
    answer = aggregate.state == 'lives' and call('PTTL', key) or -2
  elseif op == 'expire' then -- expiry
    length = 1
    answer = aggregate.state == 'lives' and 1 or 0
    if answer == 1 and ARGV[a] ~= 'unchanged' then
      live(key, ARGV[a], false)
    end
  elseif op == 'delete' then
    answer = delete(key, aggregate)
  else -- how it is to be taken: expiry, command, how many arguments, arguments
    length = 3 + ARGV[a + 2]
    answer, refusal = change(op, key, aggregate, ARGV[a], ARGV[a + 1], unpack(ARGV, a + 3, a + length - 1))
    if refusal and op == 'attempt' and string.sub(refusal.err, 1, 4) == 'ERR ' then
      refusal = {3, k, string.sub(refusal.err, 5)}
    end
  end
  n = n + 1
  answers[n] = answer
  return length, refusal
end

while a <= #ARGV do
  local op = ARGV[a]
  if op == 'put' then -- expiry of new ones, expiry of others, how many, entries
    put(ARGV[a + 1], ARGV[a + 2], a + 4, a + 3 + ARGV[a + 3])
    a = a + 4 + ARGV[a + 3]
  else
    k = k + 1
    local length, refusal = step(op, KEYS[k], a + 1)
    if refusal then
      return refusal
    end
    a = a + 1 + length
  end
end
if needed > 0 or next(changed) then
  settle()
end
return answers
