-- SPDX-License-Identifier: Apache-2.0
-- Replaces the field life of keyslot:meta if it is as expected; answers its value afterwards.
-- KEYS[1]  keyslot:meta
-- ARGV[1]  the expected value, empty for none
-- ARGV[2]  the new value
local present = redis.call('HGET', KEYS[1], 'life') or ''
if present ~= ARGV[1] then
  return present
end
-- A full server refuses a write that needs memory only as the first one of a script. This first write needs none, so
-- the next one succeeds on a full server, where it is needed most. Clients without incarnations read the removed field;
-- the format tells them to stop.
redis.call('HDEL', KEYS[1], 'lives')
redis.call('HSET', KEYS[1], 'format', '2', 'life', ARGV[2])
return ARGV[2]
