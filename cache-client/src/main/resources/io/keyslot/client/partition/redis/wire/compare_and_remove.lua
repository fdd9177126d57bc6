-- SPDX-License-Identifier: Apache-2.0
-- Removes the expected entry or lease; answers 1 if it did, else 0.
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes; zeros to remove anything but an entry, and to answer 0 for an entry
-- ARGV[2]  a header of this key and epoch
local found, stamp = stored(KEYS[1], ARGV[2])
if ARGV[1] == string.rep('\0', 8) then
  if found == 'entry' then
    return 0
  elseif found == 'stranger' then
    return 1 -- there is no entry, and a foreign value stays
  end
elseif stamp ~= ARGV[1] or found == 'negative' then
  return 0
end
redis.call('UNLINK', KEYS[1])
if removed then
  removed(1)
end
return 1
