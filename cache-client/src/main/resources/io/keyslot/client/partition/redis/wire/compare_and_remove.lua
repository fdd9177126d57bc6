-- SPDX-License-Identifier: Apache-2.0
-- Removes the entry or lease if it is the expected one; answers 1 if it did, 0 if not.
--
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes; zeros to remove whatever is no entry, and to answer 0 if there is one
-- ARGV[2]  a header of this key and epoch
local found, stamp = stored(KEYS[1], ARGV[2])
if ARGV[1] == string.rep('\0', 8) then
  if found == 'entry' then
    return 0
  elseif found == 'stranger' then
    return 1 -- no entry is there, and what is there stays
  end
elseif stamp ~= ARGV[1] or found == 'negative' then
  return 0
end
redis.call('UNLINK', KEYS[1])
if removed then
  removed(1)
end
return 1
