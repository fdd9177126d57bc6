-- SPDX-License-Identifier: Apache-2.0
-- Answers what is stored under each key as a string, and how many milliseconds it is still there: -1 without an end, -2 where
-- there is nothing.
--
-- KEYS     the keys
-- ARGV[1]  how many of them
local count = tonumber(ARGV[1])
local values = redis.call('MGET', unpack(KEYS, 1, count))
local left = {}
for i = 1, count do
  left[i] = values[i] and redis.call('PTTL', KEYS[i]) or -2
end
return {values, left}
