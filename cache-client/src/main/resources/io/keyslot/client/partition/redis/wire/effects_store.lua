-- SPDX-License-Identifier: Apache-2.0
-- Stands behind stored.lua in the scripts that store one entry with effects: what else is done in the same step. Behind it
-- stands the file of each effect, name_store.lua, which adds its function to stores:
--
-- function(key, lasting, first, last)  entries are about to be stored that last so many milliseconds, or 'never'. It asks for
--                                      all that may be refused before it writes. Returns what is to be called afterwards, or
--                                      nothing
--
-- Each effect has one of the last KEYS, and an argument for each entry: here the last of ARGV, in the order of the effects.
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
