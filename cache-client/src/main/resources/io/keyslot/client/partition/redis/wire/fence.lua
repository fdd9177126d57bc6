-- SPDX-License-Identifier: Apache-2.0
-- Precedes a script whose keys are in moving slots: it checks that the slots are still here, and records the keys that
-- are about to be written. It removes its own KEYS and ARGV.
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
