-- SPDX-License-Identifier: Apache-2.0
-- Answers the numbers of a group's entries and aggregates, and their approximate bytes, estimated from a sample.
-- KEYS[1]  the index
-- KEYS[2]  the stamps of the aggregates
-- KEYS[3]  the root
-- ARGV[1]  the hash tag of the group, with its braces
-- ARGV[2]  the size of the samples of entries and of aggregates

-- Returns the bytes of a string, or the memory usage of anything else.
local function size(key)
  local length = redis.pcall('STRLEN', key)
  return type(length) == 'number' and length or redis.call('MEMORY', 'USAGE', key) or 0
end

local function reckon(names, count)
  local bytes, looked = 0, 0
  for _, name in ipairs(names) do
    local behindType = string.find(name, ':', 1, true)
    if behindType then
      bytes = bytes + size(string.sub(name, 1, behindType) .. ARGV[1] .. string.sub(name, behindType + 1))
      looked = looked + 1
    end
  end
  return looked == 0 and 0 or bytes * count / looked
end

local entries = redis.call('ZCARD', KEYS[1])
local aggregates = redis.call('HLEN', KEYS[2])
  - redis.call('HEXISTS', KEYS[2], 'lock')
  - redis.call('HEXISTS', KEYS[2], 'longest')
local bytes = size(KEYS[3])
if entries > 0 then
  bytes = bytes + reckon(redis.call('ZRANDMEMBER', KEYS[1], ARGV[2]), entries)
end
if aggregates > 0 then
  bytes = bytes + reckon(redis.call('HRANDFIELD', KEYS[2], ARGV[2]), aggregates)
end
return {entries, aggregates, math.floor(bytes)}
