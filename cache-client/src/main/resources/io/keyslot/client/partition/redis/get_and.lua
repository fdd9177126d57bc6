-- SPDX-License-Identifier: Apache-2.0
-- Reads of a value that change it in the same step.

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
