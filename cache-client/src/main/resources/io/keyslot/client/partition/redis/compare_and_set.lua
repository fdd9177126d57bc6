-- SPDX-License-Identifier: Apache-2.0
-- Stores an entry if the present entry or lease is the expected one; answers 1 if it did, 0 if not.
--
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes; zeros if there must be no entry
-- ARGV[2]  the entry, header and payload
-- ARGV[3]  when it expires: milliseconds, 'never' or 'unchanged'; a new one never does if it is 'unchanged'
local found, stamp = stored(KEYS[1], ARGV[2])
if ARGV[1] == string.rep('\0', 8) then
  if found == 'entry' then
    return 0
  end
elseif stamp ~= ARGV[1] or found == 'negative' then
  return 0
end
local isNew = found ~= 'entry'
store(KEYS[1], ARGV[2], isNew and ARGV[3] == 'unchanged' and 'never' or ARGV[3])
return 1
