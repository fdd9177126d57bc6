-- SPDX-License-Identifier: Apache-2.0
-- Answers the string under each key, and its time to live in milliseconds: -1 without expiry, -2 without a value.
-- KEYS     the keys
-- ARGV[1]  the number of keys
local count = tonumber(ARGV[1])
local values = redis.call('MGET', unpack(KEYS, 1, count))
local left = {}
for i = 1, count do
  left[i] = values[i] and redis.call('PTTL', KEYS[i]) or -2
end
return {values, left}
