-- SPDX-License-Identifier: Apache-2.0
-- Writes a heartbeat, unless the last one of the incarnation is younger than the interval; answers the number of the
-- newest one, and whether it was written now. Answers 0 if the incarnation is over.
-- A number is the time, so it increases even after the heartbeat was lost; a clock that was set back does not decrease
-- it. The interval is measured from the time of the last write, which such a clock disturbs only once.
-- KEYS[1]  the heartbeat: a text <incarnation> <number> <time>, in microseconds
-- KEYS[2]  keyslot:meta with the present incarnation
-- ARGV[1]  the id of the incarnation
-- ARGV[2]  the interval in microseconds
local recorded = redis.call('HGET', KEYS[2], 'life')
if not recorded or string.sub(recorded, 1, #ARGV[1]) ~= ARGV[1] then
  return {0, 0}
end
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local life, number, at = string.match(redis.call('GET', KEYS[1]) or '', '^(%x+) (%d+) (%d+)$')
number = number and number + 0 or 0
if life == ARGV[1] and math.abs(now - at) < ARGV[2] + 0 then
  return {number, 0}
end
need('SET')
local newest = now > number and now or number + 1
redis.call('SET', KEYS[1], string.format('%s %.0f %.0f', ARGV[1], newest, now), 'PX', 3600000)
return {newest, 1}
