-- SPDX-License-Identifier: Apache-2.0
-- The fences of moving slots. InternalKeys defines their form.

-------- check
-- Precedes any script whose keys are in moving slots: it checks that the slots are still here, and records the keys
-- that are about to be written. It removes its own KEYS and ARGV.
-- KEYS, the last  the fences of the namespace, a hash; unless the script only reads, the set of written keys of each
--                 slot
-- ARGV, the last  for each key the position of its slot, if there are several slots and the script does not only read;
--                 the slots; their number; 'read', 'write', or 'free' for a script that a full server executes too
-- Answers FENCE FROZEN, FENCE MOVED and a version of the slot map, or FENCE UNKNOWN, before the first write.
do
  local use, count = ARGV[#ARGV], ARGV[#ARGV - 1] + 0
  local notes = use ~= 'read'
  local given = #KEYS - 1 - (notes and count or 0)
  local slots = #ARGV - 2 - count
  local several = notes and count > 1
  local fences = redis.call('HMGET', KEYS[given + 1], unpack(ARGV, slots + 1, slots + count))
  local refusal, moving = nil, {}
  for i = 1, count do
    local state = fences[i] and string.sub(fences[i], 1, 1)
    if state == 'M' and notes then
      moving[#moving + 1] = i
    elseif state == 'X' then
      refusal = 'FENCE MOVED ' .. string.match(fences[i], '%d+$')
      break
    elseif not state then
      refusal = 'FENCE UNKNOWN'
    elseif state == 'I' or state == 'C' or (state == 'F' and notes) then
      refusal = refusal or 'FENCE FROZEN'
    end
  end
  if refusal then
    return {err = refusal}
  end

  local written = {}
  for _, i in ipairs(moving) do
    written[i] = {}
    if redis.call('SISMEMBER', KEYS[given + 1 + i], '') == 0 then
      return {err = 'FENCE UNKNOWN'} -- the recorded keys are lost, so this write would go unnoticed
    end
  end
  for k = 1, given do
    local keys = written[several and ARGV[slots - given + k] + 0 or 1]
    if keys then
      keys[#keys + 1] = KEYS[k]
    end
  end
  for i, keys in pairs(written) do
    if use == 'free' then
      redis.call('SREM', KEYS[given + 1 + i], '-') -- a full server refuses nothing after a first write without memory
    end
    for first = 1, #keys, 1000 do -- unpack of Lua fails at 8,000
      redis.call('SADD', KEYS[given + 1 + i], unpack(keys, first, math.min(first + 999, #keys)))
    end
  end

  for i = #KEYS, given + 1, -1 do
    KEYS[i] = nil
  end
  for i = #ARGV, slots - (several and given or 0) + 1, -1 do
    ARGV[i] = nil
  end
end

-------- set
-- Sets the fences of slots, all or none; answers 1 if they are as requested, else 0. Removing the fences of no slots
-- ends a move here: its number is then a lower bound for moves without a number.
-- KEYS[1]      the fences
-- KEYS[2] ...  the written keys of each slot
-- ARGV[1]      the number of the coordinator
-- ARGV[2]      the move
-- ARGV[3]      the letters of the permitted states, '-' for none
-- ARGV[4]      the letter of the new state, or '-'
-- ARGV[5]      a version of the slot map
-- ARGV[6] ...  for each slot its number and that of its ownership
local call = redis.call
local asker, move, from, to = ARGV[1] + 0, ARGV[2], ARGV[3], ARGV[4]
local field = 'coordinator ' .. move
local numbers = call('HMGET', KEYS[1], field, 'coordinator')
local ended = (numbers[2] or '0') + 0
if asker < (numbers[1] or ended) + 0 then
  return 0
end

-- One query and one change for all slots, because there may be hundreds and the server is blocked meanwhile.
local slots = {}
for i = 6, #ARGV, 2 do
  slots[#slots + 1] = ARGV[i]
end
local fences = #slots == 0 and {} or call('HMGET', KEYS[1], unpack(slots))
local changed, begun, forgotten = {}, {}, {}
for n, slot in ipairs(slots) do
  local fence = fences[n]
  local state, by = '-', move
  if fence then
    state, by = string.match(fence, '^(%a) (%S+) ')
  end
  local wanted = to == '-' or table.concat({to, move, ARGV[2 * n + 5], ARGV[5]}, ' ')
  if by ~= move then
    return 0
  elseif string.find(from, state, 1, true) then
    changed[#changed + 1] = slot
    if to ~= '-' then
      changed[#changed + 1] = wanted
    end
    if to == 'M' and not string.find('FC', state, 1, true) then
      begun[#begun + 1] = KEYS[n + 1]
      forgotten[#forgotten + 1] = KEYS[n + 1]
    elseif not string.find('MFC', to, 1, true) then
      forgotten[#forgotten + 1] = KEYS[n + 1]
    end
  elseif (fence or true) ~= wanted then
    return 0
  end
end

need('HDEL', true)
need('HSET', true)
need('UNLINK', true)
need('SADD', true)
call('HDEL', KEYS[1], '-') -- a full server refuses nothing after a first write without memory
if #slots == 0 and to == '-' then
  call('HSET', KEYS[1], 'coordinator', string.format('%.0f', math.max(ended, asker)))
  call('HDEL', KEYS[1], field)
else
  call('HSET', KEYS[1], field, ARGV[1])
end
if #changed > 0 then
  call(to == '-' and 'HDEL' or 'HSET', KEYS[1], unpack(changed))
end
if #forgotten > 0 then
  call('UNLINK', unpack(forgotten))
end
for _, dirty in ipairs(begun) do
  call('SADD', dirty, '')
end
return 1
