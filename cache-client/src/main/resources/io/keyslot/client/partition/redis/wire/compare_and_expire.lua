-- SPDX-License-Identifier: Apache-2.0
-- Changes the expiry of the expected entry or lease; answers 1 if it is the expected one, else 0.
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes
-- ARGV[2]  a header of this key and epoch
-- ARGV[3]  the expiry: milliseconds, 'never' or 'unchanged'
local found, stamp = stored(KEYS[1], ARGV[2])
if stamp ~= ARGV[1] or found == 'negative' then
  return 0
end
expire(KEYS[1], ARGV[3])
if expired then
  expired()
end
return 1
