-- SPDX-License-Identifier: Apache-2.0
-- Reads of a value that change it in the same step.

-------- expire_plain
-- The usual case of expire: no value, or an entry that is not reserved. It defines no functions, because a server
-- creates those of a script at each call.
-- KEYS[1], ARGV  as there
local found = redis.pcall('GET', KEYS[1])
local flags = type(found) == 'string' and #found >= 22 and string.byte(found, 2)
if found == false then
  return found
elseif (flags == 0 or (flags == 2 and #found >= 30))
  and string.byte(found) == string.byte(ARGV[1])
  and string.sub(found, 3, 14) == string.sub(ARGV[1], 3, 14)
  and string.sub(found, 15, 22) ~= '\0\0\0\0\0\0\0\0'
then
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
-- The usual case of remove, without functions: no value, or one of ours, which contains the checksum of its key.
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
