-- SPDX-License-Identifier: Apache-2.0
-- Gives the expected entry another stamp and freshness deadline, if it has one; answers 1 if it has the new stamp, else
-- 0. The value and the expiry stay.
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes
-- ARGV[2]  a header of this key and epoch
-- ARGV[3]  the new stamp and deadline, 16 bytes, in the order of the entry
local found, stamp, flags = stored(KEYS[1], ARGV[2])
if found ~= 'entry' or flags ~= 2 then
  return 0
elseif stamp == ARGV[1] then
  redis.call('SETRANGE', KEYS[1], 14, ARGV[3])
  return 1
end
-- A repeated claim, whose first answer was lost, succeeds too.
return stamp == string.sub(ARGV[3], 1, 8) and 1 or 0
