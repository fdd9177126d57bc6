-- SPDX-License-Identifier: Apache-2.0
-- Promises to accept no value with a lower or equal ballot; answers the last accepted value.
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
-- A full server refuses only the first write of a script, and only if it needs memory; this one does not.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'promise', ARGV[3])
return {'PROMISED', life, ballot, redis.call('HGET', KEYS[1], 'value') or ''}
