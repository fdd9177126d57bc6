-- SPDX-License-Identifier: Apache-2.0
-- Stands behind index.lua in the scripts that store one entry: here it is listed as well, and first, so that something else
-- in the place of the index is found before anything was written.
--
-- KEYS, the last  the index of the group
-- ARGV, the last  the name of the entry
PARTS = #KEYS == 3 and KEYS[2] or nil

local storeAlone = store
local function store(key, bytes, expiry)
  local lasting = kept(key, expiry)
  local refusal = prepare(key, bytes, lasting)
  if refusal then
    return refusal
  end
  local _, isEternal = list(KEYS[#KEYS], lasting, #ARGV, #ARGV)
  local answer = storeAlone(key, bytes, expiry)
  if isEternal then
    ease(KEYS[#KEYS])
  end
  return answer
end
