-- SPDX-License-Identifier: Apache-2.0
-- Raises the minimal version of the slot map for clients; answers the present one.
-- KEYS[1]  keyslot:meta
-- ARGV[1]  the field of the namespace
-- ARGV[2]  the version
local present = redis.call('HGET', KEYS[1], ARGV[1])
if present and present + 0 >= ARGV[2] + 0 then
  return present + 0
end
need('HDEL', true)
need('HSET', true)
redis.call('HDEL', KEYS[1], '-') -- a full server refuses nothing after a first write without memory
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return ARGV[2] + 0
