-- SPDX-License-Identifier: Apache-2.0
-- The commands of groups.

-------- group_plain
-- Precedes group and handles its usual case: one present aggregate is read, or changed by one command that needs memory,
-- so that something remains of it. It defines no functions, because a server creates those of a script at each call.
-- KEYS, ARGV  as there
local key, first, changes, expiry = KEYS[4], 9, 0, 'unchanged'
local isPlain, asked = ARGV[1] == 'use' and ARGV[4] == '1', redis.acl_check_cmd
if isPlain and ARGV[9] == 'reserve' and ARGV[10] == 'allow' and asked then
  first = 12 + ARGV[11]
end

-- Whether all instructions are as described, and may be executed.
local k, at = 5, first
while isPlain and at <= #ARGV do
  local op = ARGV[at]
  local isChange = op == 'do' or op == 'some' or op == 'index' or op == 'attempt'
  local command = isChange and at + 2 or at + 1
  if isChange and changes == 0 and first > 9 then
    changes, expiry = 1, ARGV[at + 1]
  elseif op ~= 'ask' then
    isPlain = false
    break
  end
  at = command + 2 + ARGV[command + 1]
  isPlain = KEYS[k] == key and (first == 9 or asked(ARGV[command], key, unpack(ARGV, command + 2, at - 1)))
  k = k + 1
end

-- Whether the aggregate is of this epoch, the wanted type, and as expected.
local name = ARGV[6]
local stamp = isPlain and redis.pcall('HGET', KEYS[1], name)
isPlain = type(stamp) == 'string'
  and string.sub(stamp, 1, 4) == ARGV[2]
  and (ARGV[8] == '' or ARGV[8] == string.sub(stamp, 5))
  and redis.call('TYPE', key).ok == ARGV[7]
  and (ARGV[7] ~= 'string' or redis.call('GETRANGE', key, '0', '0') ~= '\1')
  and (changes == 0 or asked('HSET', KEYS[1], name, ''))
if isPlain and expiry ~= 'unchanged' then -- the stamps must last longer from now on, and last as long as this aggregate
  local left = redis.call('PTTL', KEYS[1])
  isPlain = expiry ~= 'never' and left >= 0 and expiry + 0 > left and asked('PEXPIRE', key, expiry)
end

-- A command that fails before the first change is left to group.
local answers, isChanged = {0}, false
at = first
while isPlain and at <= #ARGV do
  local op = ARGV[at]
  local command = op == 'ask' and at + 1 or at + 2
  at = command + 2 + ARGV[command + 1]
  local answer = redis.pcall(ARGV[command], key, unpack(ARGV, command + 2, at - 1))
  if type(answer) == 'table' and answer.err then
    if isChanged then
      return answer
    end
    isPlain = false
  elseif op ~= 'ask' and (op ~= 'some' or (answer and answer ~= 0)) then
    isChanged = true
    redis.call('HSET', KEYS[1], name, ARGV[2] .. ARGV[3])
    if expiry ~= 'unchanged' then
      redis.call('PEXPIRE', key, expiry)
      redis.call('PEXPIRE', KEYS[1], expiry)
      redis.call('HSET', KEYS[1], 'longest', name) -- see members.lua
    end
  end
  answers[#answers + 1] = op == 'index' and 1 or answer
end
if isPlain then
  return answers
end

-------- group
-- Executes a group command atomically, or not at all. GroupCommand defines it; GroupRequest encodes it and decodes the
-- answer.
-- KEYS[1]  the stamps of the group's aggregates, a hash: name -> epoch and stamp, 12 bytes
-- KEYS[2]  the group's lock
-- KEYS[3]  a key that never exists
-- KEYS[4]  and further, in the order in which ARGV needs them: the key of each aggregate, each expected entry, each
--          instruction; a put has several, the first of which may be the last of the expected ones
-- KEYS, the last  the index, if one of the entries that are stored or removed is indexed
-- ARGV     words: first the conditions, in this order, each optional:
--            guarded: a value without an envelope or stamp of ours may be foreign
--            token, the required content of the lock
--            use, the epoch, 4 bytes, the stamp of changes, 8 bytes, the number of aggregates; for each a header, the
--              name, the type, and the expected stamp or empty
--            present or absent, the number of entries; for each a header with the expected stamp, zeros for none
--            reserve: a full server must refuse all before the first change
--            allow, the number of commands; their names
--            indexed: no change of the index may be refused
--            free, the number of entries; for each its position in KEYS and a header: there must be no foreign value
--          then the instructions, each with its arguments
-- Answers 0 and the answers of the instructions; or 1 and the key with another stamp; or 2, the key of another type and
-- that type; or 3, the key and the reason why an operation is impossible; or 4 if the lock was lost. A key is given by
-- its position in KEYS.
local k, a = 3, 1 -- the last of KEYS that was read, the next of ARGV
local isGuarded = ARGV[1] == 'guarded'
if isGuarded then
  a = 2
end
if ARGV[a] == 'token' then
  if call('GET', KEYS[2]) ~= ARGV[a + 1] then
    return {4}
  end
  a = a + 2
end

local aggregates, wrong = {}, nil
local look, live, change, delete, settle
if ARGV[a] == 'use' then
  look, live, change, delete, settle = functionsOfAggregates(ARGV[a + 1], ARGV[a + 2], isGuarded)
  local first = a + 4
  a = first + 4 * ARGV[a + 3]
  for i = first, a - 1, 4 do
    k = k + 1
    local state, stamp, found = look(KEYS[k], ARGV[i], ARGV[i + 1], ARGV[i + 2])
    if ARGV[i + 3] ~= '' and ARGV[i + 3] ~= stamp then
      return {1, k}
    elseif state == 'stranger' then
      leave()
    elseif state == 'else' and not wrong then
      wrong = {2, k, found}
    end
    aggregates[KEYS[k]] = {name = ARGV[i + 1], state = state, stamp = stamp}
  end
end

while ARGV[a] == 'present' or ARGV[a] == 'absent' do
  local count, first = ARGV[a + 1] + 0, a + 2
  -- Usually no key exists where there should be no entry, and one call shows that.
  if ARGV[a] == 'present' or call('EXISTS', unpack(KEYS, k + 1, k + count)) > 0 then
    for i = 1, count do
      local key, header = KEYS[k + i], ARGV[first + i - 1]
      if try('GETRANGE', key, '0', '21') ~= header then
        local found, stamp = stored(key, header)
        if (found == 'entry' and stamp or ABSENT) ~= string.sub(header, 15, 22) then
          return {1, k + i}
        end
      end
    end
  end
  k, a = k + count, first + count
end

if wrong then
  return wrong
end

-- A full server refuses a write that needs memory as the first one of a script, but not after one that frees memory.
if ARGV[a] == 'reserve' then
  call('SET', NONE, '', 'XX')
  a = a + 1
end

-- If the user may not use one of the commands, none may be executed.
if ARGV[a] == 'allow' then
  local first = a + 2
  a = first + ARGV[a + 1]
  for i = first, a - 1 do
    need(ARGV[i], true)
  end
  -- Fails now, instead of after the first change, if the key of the stamps has another type.
  call('HLEN', STAMPS)
end

-- The same for the index.
if ARGV[a] == 'indexed' then
  need('PTTL', true)
  need('ZADD', true)
  need('PERSIST', true)
  need('PEXPIRE', true)
  call('ZCARD', INDEX)
  a = a + 1
end

if ARGV[a] == 'free' then
  local first = a + 2
  a = first + 2 * ARGV[a + 1]
  for i = first, a - 1, 2 do
    if stored(KEYS[ARGV[i] + 0], ARGV[i + 1]) == 'stranger' then
      leave()
    end
  end
end

local answers, n = {0}, 1
local last = #ARGV
while a <= last do
  local op = ARGV[a]
  if op == 'put' then
    -- The numbers of known new, known old and all entries; the expiry of new and of other ones; the lifetime of their
    -- names in the index, empty if they are not indexed; the entries; their names if they are.
    local absent, present, count, lasting = ARGV[a + 1] + 0, ARGV[a + 2] + 0, ARGV[a + 3] + 0, ARGV[a + 6]
    local first = a + 7
    local from = k + 1 - absent - present
    put(from, first, first + count - 1, ARGV[a + 4], ARGV[a + 5], first + absent, first + absent + present, lasting)
    k = from + count - 1
    a = first + count * (lasting == '' and 1 or 2)
  elseif op == 'feed' then -- see feed.lua
    a = feed(a + 1)
  else
    k = k + 1
    local key, answer, refusal = KEYS[k], nil, nil
    local aggregate = aggregates[key]
    a = a + 1
    if op == 'remove' then -- a header, the name if it is indexed or nothing
      answer = isOurs(head(key), ARGV[a]) and call('UNLINK', key) or 0
      if ARGV[a + 1] ~= '' then
        try('ZREM', INDEX, ARGV[a + 1])
        let_expire(INDEX)
      end
      a = a + 2
    elseif op == 'get' then
      answer = read(key)
    elseif op == 'ask' then -- command, number of arguments, arguments
      local first, size = a + 2, ARGV[a + 1] + 0
      local isNone = aggregate.state == 'stale' or aggregate.state == 'unknown'
      answer = try(ARGV[a], isNone and NONE or key, unpack(ARGV, first, first + size - 1))
      if type(answer) == 'table' and answer.err then
        return isForbidden(answer.err) and forbid(ARGV[a]) or answer
      end
      a = first + size
    elseif op == 'stamp' then
      answer = aggregate.stamp
    elseif op == 'ttl' then
      answer = aggregate.state == 'lives' and call('PTTL', key) or -2
    elseif op == 'expire' then -- expiry
      answer = aggregate.state == 'lives' and 1 or 0
      if answer == 1 and ARGV[a] ~= 'unchanged' then
        live(key, aggregate.name, ARGV[a], false)
      end
      a = a + 1
    elseif op == 'delete' then
      answer = delete(key, aggregate)
    else -- how to take the answer, expiry, command, number of arguments, arguments
      local first, size = a + 3, ARGV[a + 2] + 0
      answer, refusal =
        change(op, key, aggregate, ARGV[a], ARGV[a + 1], unpack(ARGV, first, first + size - 1))
      a = first + size
      if refusal and isForbidden(refusal.err) then
        forbid(ARGV[a - size - 2])
      elseif refusal then
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
