-- SPDX-License-Identifier: Apache-2.0
-- Accepts a value, unless a higher ballot was promised, or this incarnation of the voter has no vote on it.
-- ARGV[2]  the generation
-- ARGV[3]  the ballot
-- ARGV[4]  the value
-- ARGV[5]  the incarnation that votes on this value, empty for none
-- ARGV[6]  the incarnation that voted on the previous one, empty for none
if not isAlive then
  return {'LOST'}
end
if generation ~= ARGV[2] then
  return {'GENERATION', generation}
end
if life ~= ARGV[5] and life ~= ARGV[6] then
  return {'NOVOTE', life}
end
if ARGV[3] < promise then
  return {'BEHIND', promise}
end

need('HSET')
need('HDEL')
-- See register_prepare.lua.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'promise', ARGV[3], 'ballot', ARGV[3], 'value', ARGV[4])
return {'ACCEPTED', life}
