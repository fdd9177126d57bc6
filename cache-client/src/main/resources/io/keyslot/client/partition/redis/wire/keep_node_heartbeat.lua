-- SPDX-License-Identifier: Apache-2.0
-- Writes another beat of a primary of a cluster, unless the last one is younger than the pace; answers its life, the number of the
-- newest one, and whether it was written now.
--
-- The life is that of the cluster and of the time for which this node has been a primary: the key may have come from another node
-- with its slot, and a node that was a replica meanwhile has lost what it had not replicated.
--
-- KEYS[1]  the beat: a text <life> <number> <time>, in microseconds
-- ARGV[1]  the epoch of the cluster, 8 hexadecimal digits
-- ARGV[2]  the pace in microseconds
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
