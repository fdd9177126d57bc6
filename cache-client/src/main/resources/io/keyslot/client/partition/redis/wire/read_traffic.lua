-- SPDX-License-Identifier: Apache-2.0
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
