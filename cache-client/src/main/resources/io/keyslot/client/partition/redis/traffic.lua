-- SPDX-License-Identifier: Apache-2.0
-- The reports of clients about their traffic.

-------- report
-- Replaces the report of a client; answers 1 if it was stored, else 0.
-- KEYS[1]  the reports: a hash with the fields at:<client> and of:<client>
-- KEYS[2]  keyslot:meta; without it nothing may be stored, because the next client would take the report for foreign
--          data
-- ARGV[1]  the client
-- ARGV[2]  the report
-- ARGV[3]  the maximal number of other clients
-- ARGV[4]  the milliseconds for which it is kept
if redis.call('EXISTS', KEYS[2]) == 0 then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stale = {}
local others = 0
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local client = string.match(field, '^at:(.*)$')
  if client and client ~= ARGV[1] then
    if now - redis.call('HGET', KEYS[1], field) >= ARGV[4] + 0 then
      stale[#stale + 1] = field
      stale[#stale + 1] = 'of:' .. client
    else
      others = others + 1
    end
  end
end
need('HSET')
need('HDEL')
need('PEXPIRE')
local isFull = others >= ARGV[3] + 0
if isFull then
  redis.call('HSET', KEYS[1], 'full', string.format('%.0f', now))
else
  redis.call('HSET', KEYS[1], 'at:' .. ARGV[1], string.format('%.0f', now), 'of:' .. ARGV[1], ARGV[2])
end
if #stale > 0 then
  redis.call('HDEL', KEYS[1], unpack(stale))
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return isFull and 0 or 1

-------- read
-- Answers the reports of clients: 1 if there was no room for one recently, else 0; for each report the client, its age
-- in milliseconds, and its bytes.
-- KEYS[1]  the reports: a hash with the fields at:<client> and of:<client>
-- ARGV[1]  the milliseconds for which a report is kept
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local full = redis.call('HGET', KEYS[1], 'full')
local answers = {full and now - full < ARGV[1] + 0 and 1 or 0}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local client = string.match(field, '^at:(.*)$')
  local report = client and redis.call('HGET', KEYS[1], 'of:' .. client)
  if report then
    local age = math.max(0, now - redis.call('HGET', KEYS[1], field))
    if age < ARGV[1] + 0 then
      answers[#answers + 1] = {client, age, report}
    end
  end
end
return answers
