-- SPDX-License-Identifier: Apache-2.0
-- Reads of a value that change it in the same step.

-------- expire_plain
-- The usual case of expire: no value, or an entry that is not reserved.
-- KEYS[1], ARGV  as there
local found = redis.pcall('GET', KEYS[1])
local kind, _, flags = kindOf(found, ARGV[1])
if found == false then
  return found
elseif kind == 'entry' and flags < 8 then
  if ARGV[2] == 'never' then
    redis.call('PERSIST', KEYS[1])
  else
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
  return found
end

-------- expire
-- Answers the value, and changes the expiry of an entry that is not reserved. GETEX would prolong a lease or
-- reservation.
-- KEYS[1]  the key
-- ARGV[1]  a header of this key and epoch
-- ARGV[2]  the expiry: milliseconds or 'never'
local value = read(KEYS[1])
local found, _, flags = stored(KEYS[1], ARGV[1])
if found == 'entry' and flags < 8 then
  expire(KEYS[1], ARGV[2])
  if expired then
    expired()
  end
end
return value

-------- remove_plain
-- The usual case of remove: no value, or one of ours, which contains the checksum of its key.
-- KEYS[1], ARGV  as there
local found = redis.pcall('GET', KEYS[1])
if found == false then
  return found
elseif type(found) == 'string' and #found >= 22 and string.sub(found, 11, 14) == string.sub(ARGV[1], 11, 14) then
  redis.call('UNLINK', KEYS[1])
  return found
end

-------- remove
-- Removes the value and answers it. A foreign value is answered, and stays.
-- KEYS[1]  the key
-- ARGV[1]  a header of this key
local found = read(KEYS[1])
if stored(KEYS[1], ARGV[1]) ~= 'stranger' then
  if removing then
    removing(KEYS[1], ARGV[1])
  end
  redis.call('UNLINK', KEYS[1])
  if removed then
    removed(1)
  end
end
return found
