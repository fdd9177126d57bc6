-- SPDX-License-Identifier: Apache-2.0
-- Sets the field life of keyslot:meta if it is as expected; answers what it is afterwards.
--
-- KEYS[1]  keyslot:meta
-- ARGV[1]  what is expected, empty for nothing
-- ARGV[2]  what it is to be
local present = redis.call('HGET', KEYS[1], 'life') or ''
if present ~= ARGV[1] then
  return present
end
-- A full server refuses a write that takes memory if it is the first one of a script, but not in the middle of a script.
-- This one takes none: so the next works when the server is full, which is when it is needed most. Clients that know
-- nothing of lives read the field that goes here; the format tells them that they must not go on.
redis.call('HDEL', KEYS[1], 'lives')
redis.call('HSET', KEYS[1], 'format', '2', 'life', ARGV[2])
return ARGV[2]
