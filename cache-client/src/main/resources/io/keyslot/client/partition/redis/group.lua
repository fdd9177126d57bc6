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
local count = ARGV[a] + 0
local look, live, change, delete, settle
if count > 0 then
  look, live, change, delete, settle = functionsOfAggregates()
end
for i = a + 1, a + 4 * count, 4 do
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
a = a + 4 * count + 1

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

local answers, n = {0}, 1
local last = #ARGV
while a <= last do
  local op = ARGV[a]
  if op == 'put' then -- expiry of new ones, expiry of others, how many, entries
    local onCreation, onUpdate = ARGV[a + 1], ARGV[a + 2]
    local isSame, isKept = onCreation == onUpdate, onCreation == 'never' and onUpdate == 'unchanged'
    local plain, m = {}, 0 -- keys and entries, one behind the other, of those that never expire
    local first = a + 4
    a = first + ARGV[a + 3]
    for i = first, a - 1 do
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
  elseif op == 'list' then -- how long they live, how many, names; the key is the index
    k = k + 1
    local scored, expiry, first = {}, ARGV[a + 1], a + 3
    a = first + ARGV[a + 2]
    for i = first, a - 1 do
      scored[#scored + 1], scored[#scored + 2] = '0', ARGV[i]
    end
    list(KEYS[k], expiry, scored)
  else
    k = k + 1
    local key, answer, refusal = KEYS[k], nil, nil
    local aggregate = aggregates[key]
    a = a + 1
    if op == 'remove' then
      answer = call('UNLINK', key)
    elseif op == 'get' then
      answer = get(key)
    elseif op == 'large' then -- expiry of a new one, expiry of another, how many parts, manifest, parts
      local parts = ARGV[a + 2] + 0
      answer = putInParts(key, ARGV[a], ARGV[a + 1], ARGV[a + 3], a + 4, a + 3 + parts)
      a = a + 4 + parts
    elseif op == 'ask' then -- command, how many arguments, arguments
      local first, size = a + 2, ARGV[a + 1] + 0
      answer = call(ARGV[a], aggregate.state == 'stale' and NONE or key, unpack(ARGV, first, first + size - 1))
      a = first + size
    elseif op == 'stamp' then
      answer = aggregate.stamp
    elseif op == 'ttl' then
      answer = aggregate.state == 'lives' and call('PTTL', key) or -2
    elseif op == 'expire' then -- expiry
      answer = aggregate.state == 'lives' and 1 or 0
      if answer == 1 and ARGV[a] ~= 'unchanged' then
        live(key, ARGV[a], false)
      end
      a = a + 1
    elseif op == 'delete' then
      answer = delete(key, aggregate)
    else -- how it is to be taken: expiry, command, how many arguments, arguments
      local first, size = a + 3, ARGV[a + 2] + 0
      answer, refusal =
        change(op, key, aggregate, ARGV[a], ARGV[a + 1], unpack(ARGV, first, first + size - 1))
      a = first + size
      if refusal then
        local isImpossible = op == 'attempt' and string.sub(refusal.err, 1, 4) == 'ERR '
        return isImpossible and {3, k, string.sub(refusal.err, 5)} or refusal
      end
    end
    n = n + 1
    answers[n] = answer
  end
end
if settle then
  settle()
end
return answers
