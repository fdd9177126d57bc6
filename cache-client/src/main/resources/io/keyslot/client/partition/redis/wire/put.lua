-- SPDX-License-Identifier: Apache-2.0
-- Stores an entry that expires at one time if it is new and at another if it replaces an entry.
--
-- KEYS[1]  the key
-- ARGV[1]  the entry, header and payload
-- ARGV[2]  when it expires if it is new: milliseconds or 'never'
-- ARGV[3]  when it expires if it replaces an entry: milliseconds, 'never' or 'unchanged'
local present = stored(KEYS[1], ARGV[1])
if present == 'stranger' then
  leave()
end
return store(KEYS[1], ARGV[1], present == 'entry' and ARGV[3] or ARGV[2])
