-- SPDX-License-Identifier: Apache-2.0
-- Writes a heartbeat of a cluster primary, unless the last one is younger than the interval; answers its incarnation,
-- the number of the newest one, and whether it was written now.
-- The incarnation combines the cluster's epoch and this node's term as a primary: the key may have come from another
-- node with its slot, and a node that was a replica meanwhile has lost its unreplicated writes.
-- KEYS[1]  the heartbeat: a text <incarnation> <number> <time>, in microseconds
-- ARGV[1]  the epoch of the cluster, 8 hexadecimal digits
-- ARGV[2]  the interval in microseconds
local reign = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x%x%x%x%x%x%x%x)')
if not reign then
  return {'', 0, 0}
end
local own = ARGV[1] .. reign
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local life, number, at = string.match(redis.call('GET', KEYS[1]) or '', '^(%x+) (%d+) (%d+)$')
number = number and number + 0 or 0
if life == own and math.abs(now - at) < ARGV[2] + 0 then
  return {own, number, 0}
end
need('SET')
local newest = now > number and now or number + 1
redis.call('SET', KEYS[1], string.format('%s %.0f %.0f', own, newest, now), 'PX', 3600000)
return {own, newest, 1}
