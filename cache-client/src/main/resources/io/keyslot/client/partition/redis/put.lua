-- SPDX-License-Identifier: Apache-2.0
-- Stores an entry, with one expiry for a new entry and another for a replaced one.
-- KEYS[1]  the key
-- ARGV[1]  the entry, header and payload
-- ARGV[2]  the expiry of a new entry: milliseconds or 'never'
-- ARGV[3]  the expiry of a replaced entry: milliseconds, 'never' or 'unchanged'
local present = stored(KEYS[1], ARGV[1])
if present == 'stranger' then
  leave()
end
return store(KEYS[1], ARGV[1], present == 'entry' and ARGV[3] or ARGV[2])
