-- SPDX-License-Identifier: Apache-2.0
-- Follows stored.lua in scripts that store one entry with effects. The files name_store.lua follow; each adds its
-- function to stores:
-- function(key, lasting, first, last)  entries are about to be stored for so many milliseconds, or 'never'; checks all
--                                      that may be refused before it writes; returns a function to call afterwards, or
--                                      nothing
-- Each effect has one of the last KEYS, and one of the last ARGV for each entry, in the order of the effects.
local stores = {}

local storeAlone = store
local function store(key, bytes, expiry)
  local lasting, finish = kept(key, expiry), {}
  need('SET')
  for i = 1, EFFECTS do
    local argument = #ARGV - EFFECTS + i
    finish[#finish + 1] = stores[i](KEYS[#KEYS - EFFECTS + i], lasting, argument, argument)
  end
  local answer = storeAlone(key, bytes, expiry)
  for i = 1, #finish do
    finish[i]()
  end
  return answer
end
