-- SPDX-License-Identifier: Apache-2.0
-- Stores a decided value, unless there is one that is as new. A decision is final, so no incarnation is checked.
-- KEYS[1]  the hash
-- ARGV[1]  the generation: a number, a dash and a random text
-- ARGV[2]  the sequence
-- ARGV[3]  the version
-- ARGV[4]  the value
local present = redis.call('HMGET', KEYS[1], 'copy.gen', 'copy.seq')
if present[1] then
  local known = tonumber(string.match(present[1], '^%d+'))
  local offered = tonumber(string.match(ARGV[1], '^%d+'))
  if known == offered and present[1] ~= ARGV[1] then
    return {'RIVAL', present[1]}
  end
  if known > offered or (known == offered and tonumber(present[2]) >= tonumber(ARGV[2])) then
    return {'COPIED'}
  end
end

need('HSET')
need('HDEL')
-- See register_prepare.lua.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'copy.gen', ARGV[1], 'copy.seq', ARGV[2], 'copy.version', ARGV[3], 'copy.value', ARGV[4])
return {'COPIED'}
