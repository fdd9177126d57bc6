-- SPDX-License-Identifier: Apache-2.0
-- Unconditional puts, with one expiry for a new entry and another for a replaced one.

-------- put_plain
-- The usual case: stores each entry whose key has no value, or an entry of this epoch that is not reserved.
-- KEYS     the keys
-- ARGV     for each key its entry, header and payload; and then:
-- count+1  the expiry of a new entry: milliseconds or 'never'
-- count+2  the expiry of a replaced entry: milliseconds, 'never' or 'unchanged'
local count, unusual = #KEYS, {}
local onCreation, onUpdate = ARGV[count + 1], ARGV[count + 2]
for i = 1, count do
  local key, entry = KEYS[i], ARGV[i]
  local found, isStored = redis.pcall('GETRANGE', key, '0', '29'), nil
  if found == '' then
    isStored = set(redis.pcall, key, entry, onCreation, 'NX')
  else
    local kind, _, flags = kindOf(found, entry)
    isStored = kind == 'entry' and flags < 8 and set(redis.pcall, key, entry, onUpdate)
  end
  if not isStored then
    unusual[#unusual + 1] = i
  end
end

-------- others
-- Answers the positions of the entries that were not stored.
return unusual

-------- end_plain
-- Ends the put of one entry if it is stored.
if #unusual == 0 then
  return 1
end

-------- put
-- Stores an entry unless the present value is foreign; answers 1.
-- KEYS[1]  the key
-- ARGV[1]  the entry, header and payload
-- ARGV[2]  the expiry of a new entry: milliseconds or 'never'
-- ARGV[3]  the expiry of a replaced entry: milliseconds, 'never' or 'unchanged'
local present = stored(KEYS[1], ARGV[1])
if present == 'stranger' then
  leave()
end
return store(KEYS[1], ARGV[1], present == 'entry' and ARGV[3] or ARGV[2])
