-- SPDX-License-Identifier: Apache-2.0
-- Answers names of an index, and what is stored under each of them as a string.
--
-- KEYS[1]  the index
-- ARGV[1]  the hash tag of the group, with its braces
-- ARGV[2]  and further: the range, as ZRANGE takes it
local names = redis.call('ZRANGE', KEYS[1], unpack(ARGV, 2))
if #names == 0 then
  return {names, {}}
end
local keys = {}
for i, name in ipairs(names) do
  local behindType = string.find(name, ':', 1, true)
  keys[i] = string.sub(name, 1, behindType) .. ARGV[1] .. string.sub(name, behindType + 1)
end
return {names, redis.call('MGET', unpack(keys))}
