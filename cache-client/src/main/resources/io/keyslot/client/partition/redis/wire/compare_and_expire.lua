-- SPDX-License-Identifier: Apache-2.0
-- Lets the entry or lease expire at another time if it is the expected one; answers 1 if it is, 0 if not.
--
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes
-- ARGV[2]  a header of this key and epoch
-- ARGV[3]  when it expires: milliseconds, 'never' or 'unchanged'
local found, stamp = stored(KEYS[1], ARGV[2])
if stamp ~= ARGV[1] or found == 'negative' then
  return 0
end
expire(KEYS[1], ARGV[3])
if expired then
  expired()
end
return 1
