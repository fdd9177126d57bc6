-- SPDX-License-Identifier: Apache-2.0
-- Stores an entry if the present entry or lease is the expected one; answers 1 if it did, else 0.
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes; zeros if there must be neither an entry nor a reservation
-- ARGV[2]  the entry, header and payload
-- ARGV[3]  the expiry: milliseconds, 'never' or 'unchanged', which is 'never' for a new entry
local found, stamp, flags = stored(KEYS[1], ARGV[2])
local expected
if ARGV[1] == string.rep('\0', 8) then
  if found == 'stranger' then
    leave()
  end
  expected = found ~= 'entry' and flags ~= 9
else
  expected = stamp == ARGV[1] and found ~= 'negative'
end
if expected then
  local isNew = found ~= 'entry'
  return store(KEYS[1], ARGV[2], isNew and ARGV[3] == 'unchanged' and 'never' or ARGV[3])
end
return 0
