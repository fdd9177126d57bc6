-- SPDX-License-Identifier: Apache-2.0
-- Gives the entry another stamp and another end of its freshness if it has one and is the expected one; answers 1 if
-- it has the new stamp, 0 if not. What comes behind stays as it is, and so does its expiry.
--
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes
-- ARGV[2]  a header of this key and epoch
-- ARGV[3]  the new stamp and the new end, 16 bytes, as they stand behind each other in the entry
local found, stamp, flags = stored(KEYS[1], ARGV[2])
if found ~= 'entry' or flags ~= 2 then
  return 0
elseif stamp == ARGV[1] then
  redis.call('SETRANGE', KEYS[1], 14, ARGV[3])
  return 1
end
-- The claim may have been sent before, and only its answer was lost.
return stamp == string.sub(ARGV[3], 1, 8) and 1 or 0
