-- SPDX-License-Identifier: Apache-2.0
-- Answers what is stored, and lets it expire at another time if it is an entry that is not reserved. GETEX would put off the end of a lease or of a reservation.
--
-- KEYS[1]  the key
-- ARGV[1]  a header of this key and epoch
-- ARGV[2]  when it expires: milliseconds or 'never'
local value = read(KEYS[1])
local found, _, flags = stored(KEYS[1], ARGV[1])
if found == 'entry' and flags < 8 then
  expire(KEYS[1], ARGV[2])
  if expired then
    expired()
  end
end
return value
