-- SPDX-License-Identifier: Apache-2.0
-- Unconditional puts, with one expiry for a new entry and another for a replaced one.

-------- put_plain
-- The usual case: stores each entry whose key has no value, or an entry of this epoch that is not reserved. It defines
-- no functions, because a server creates those of a script at each call.
-- KEYS     the keys
-- ARGV     for each key its entry, header and payload; and then:
-- count+1  the expiry of a new entry: milliseconds or 'never'
-- count+2  the expiry of a replaced entry: milliseconds, 'never' or 'unchanged'
local count, unusual = #KEYS, {}
local onCreation, onUpdate = ARGV[count + 1], ARGV[count + 2]
for i = 1, count do
  local key, entry = KEYS[i], ARGV[i]
  local found = redis.pcall('GETRANGE', key, '0', '29')
  local flags = type(found) == 'string' and #found >= 22 and string.byte(found, 2)
  local answer
  if found == '' then
    if onCreation == 'never' then
      answer = redis.pcall('SET', key, entry, 'NX')
    else
      answer = redis.pcall('SET', key, entry, 'PX', onCreation, 'NX')
    end
  elseif (flags == 0 or (flags == 2 and #found == 30))
    and string.byte(found) == string.byte(entry)
    and string.sub(found, 3, 14) == string.sub(entry, 3, 14)
    and string.sub(found, 15, 22) ~= '\0\0\0\0\0\0\0\0'
  then
    if onUpdate == 'unchanged' then
      answer = redis.pcall('SET', key, entry, 'KEEPTTL')
    elseif onUpdate == 'never' then
      answer = redis.pcall('SET', key, entry)
    else
      answer = redis.pcall('SET', key, entry, 'PX', onUpdate)
    end
  end
  if type(answer) ~= 'table' or answer.err then
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
