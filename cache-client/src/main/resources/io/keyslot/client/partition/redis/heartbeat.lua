-- SPDX-License-Identifier: Apache-2.0
-- Writes a heartbeat of an instance or a cluster primary, unless the last one of its incarnation is younger than the
-- interval; answers the incarnation, the number of the newest heartbeat, and whether it was written now. Answers an
-- empty incarnation if the instance has another one, or the node does not reveal it.
-- The incarnation of a node combines the cluster's epoch and its term as a primary: the key may have come from another
-- node with its slot, and a node that was a replica meanwhile has lost its unreplicated writes.
-- A number is the time, so it increases even after the heartbeat was lost; a clock that was set back does not decrease
-- it. The interval is measured from the time of the last write, which such a clock disturbs only once.
-- KEYS[1]  the heartbeat: a text <incarnation> <number> <time>, in microseconds
-- KEYS[2]  for an instance: keyslot:meta with the present incarnation
-- ARGV[1]  the incarnation of the instance; the epoch of the cluster, 8 hexadecimal digits
-- ARGV[2]  the interval in microseconds
local own = ARGV[1]
if KEYS[2] then
  local recorded = redis.call('HGET', KEYS[2], 'life')
  if not recorded or string.sub(recorded, 1, #own) ~= own then
    return {'', 0, 0}
  end
else
  local reign = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x%x%x%x%x%x%x%x)')
  if not reign then
    return {'', 0, 0}
  end
  own = own .. reign
end
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
