-- SPDX-License-Identifier: Apache-2.0
-- Answers names of an index, and the string under each of them.
-- KEYS[1]  the index
-- ARGV[1]  the hash tag of the group, with its braces
-- ARGV[2]  and further: the range, as arguments of ZRANGE
local call, find, sub, tag = redis.call, string.find, string.sub, ARGV[1]
local names = call('ZRANGE', KEYS[1], unpack(ARGV, 2))
local count = #names
if count == 0 then
  return {names, {}}
end

-- Names are sorted: if the first and the last one have the same type, all do. Splitting each name costs as much as
-- reading the range.
local colon = find(names[1], ':', 1, true)
local head = sub(names[1], 1, colon) .. tag
local isOneType = sub(names[count], 1, colon) == sub(names[1], 1, colon)
local keys = {}
for i = 1, count do
  local name = names[i]
  if not isOneType then
    colon = find(name, ':', 1, true)
    head = sub(name, 1, colon) .. tag
  end
  keys[i] = head .. sub(name, colon + 1)
end
return {names, call('MGET', unpack(keys))}
