-- SPDX-License-Identifier: Apache-2.0
-- Stores an entry that expires at one time if it is new and at another if it replaces an entry.
--
-- KEYS[1]  the key
-- ARGV[1]  the entry: 14 bytes that all entries of this key and epoch share, 8 bytes of stamp, the payload
-- ARGV[2]  when it expires if it is new: milliseconds, 'never' or 'unchanged'
-- ARGV[3]  when it expires if it replaces an entry
--
-- What does not start with the same 14 bytes, or has no stamp, is no entry.
local stored = redis.call('GETRANGE', KEYS[1], 0, 21)
local present = #stored == 22
  and string.sub(stored, 1, 14) == string.sub(ARGV[1], 1, 14)
  and string.sub(stored, 15) ~= string.rep('\0', 8)
local expiry = present and ARGV[3] or ARGV[2]
if expiry == 'unchanged' then
  redis.call('SET', KEYS[1], ARGV[1], 'KEEPTTL')
elseif expiry == 'never' then
  redis.call('SET', KEYS[1], ARGV[1])
else
  redis.call('SET', KEYS[1], ARGV[1], 'PX', expiry)
end
return 1
