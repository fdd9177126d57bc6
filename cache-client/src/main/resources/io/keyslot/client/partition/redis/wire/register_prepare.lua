-- SPDX-License-Identifier: Apache-2.0
-- Promises to accept nothing under a lower ballot, or the same; answers what was accepted last.
--
-- ARGV[2]  the generation
-- ARGV[3]  the ballot
if not isAlive then
  return {'LOST'}
end
if generation ~= ARGV[2] then
  return {'GENERATION', generation}
end
if ARGV[3] <= promise then
  return {'BEHIND', promise}
end

need('HSET')
need('HDEL')
-- A full server refuses the first write of a script if it takes memory, and no other one: this one takes none.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'promise', ARGV[3])
return {'PROMISED', life, ballot, redis.call('HGET', KEYS[1], 'value') or ''}
