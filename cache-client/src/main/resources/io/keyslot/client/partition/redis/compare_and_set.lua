-- SPDX-License-Identifier: Apache-2.0
-- Stores an entry if the present one is the expected one; answers 1 if it did, 0 if not.
--
-- KEYS[1]  the key
-- ARGV[1]  the 22 bytes that the present entry must start with; the first 14 of them if there must be no entry
-- ARGV[2]  the entry: 14 bytes that all entries of this key and epoch share, 8 bytes of stamp, the payload
-- ARGV[3]  when it expires: milliseconds, 'never' or 'unchanged'
--
-- What does not start with the same 14 bytes, or has no stamp, is no entry.
local stored = redis.call('GETRANGE', KEYS[1], 0, 21)
if #ARGV[1] == 22 then
  if stored ~= ARGV[1] then
    return 0
  end
elseif #stored == 22 and string.sub(stored, 1, 14) == ARGV[1] and string.sub(stored, 15) ~= string.rep('\0', 8) then
  return 0
end
if ARGV[3] == 'unchanged' then
  redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
elseif ARGV[3] == 'never' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1
