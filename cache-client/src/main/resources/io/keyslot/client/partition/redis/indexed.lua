-- SPDX-License-Identifier: Apache-2.0
-- Stands behind index.lua in the scripts that store one entry: here it is listed as well.
--
-- KEYS, the last  the index of the group
-- ARGV, the last  the name of the entry
PARTS = #KEYS == 3 and KEYS[2] or nil

local storeAlone = store
local function store(key, bytes, expiry)
  local answer = storeAlone(key, bytes, expiry)
  if answer ~= 1 then
    return answer
  end
  local left = redis.call('PTTL', key)
  list(KEYS[#KEYS], left < 0 and 'never' or math.max(left, 1), #ARGV, #ARGV)
  return answer
end
