-- SPDX-License-Identifier: Apache-2.0
-- Stores a lease unless there is an entry, a lease or a negative; answers the value afterwards.
-- KEYS[1]  the key
-- ARGV[1]  the lease: a header
-- ARGV[2]  the expiry: milliseconds or 'never'
if stored(KEYS[1], ARGV[1]) ~= 'nothing' then
  return read(KEYS[1])
end
store(KEYS[1], ARGV[1], ARGV[2])
return ARGV[1]
