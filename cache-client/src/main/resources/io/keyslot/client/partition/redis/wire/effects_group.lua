-- SPDX-License-Identifier: Apache-2.0
-- Follows stored.lua in group.lua if members have effects. The files of each effect follow and add their functions:
-- name_check.lua to checks, the others as described in effects_store.lua and effects_remove.lua.
-- function(key)  checks all that may be refused when entries are stored, before the first of several changes
-- Each effect has one of the last KEYS; its arguments are in the instruction that needs them. The marks of an
-- instruction are a 1 or a 0 for each effect.
local stores, removals, checks = {}, {}, {}

-- Runs the marked effects of entries that are about to be stored, with arguments from first on. Returns the functions
-- to call afterwards.
local function storing(lasting, first, count, marks)
  local finish = {}
  for i = 1, EFFECTS do
    if string.byte(marks, i) == 49 then
      finish[#finish + 1] = stores[i](KEYS[#KEYS - EFFECTS + i], lasting, first, first + count - 1)
      first = first + count
    end
  end
  return finish
end

-- Runs the marked effects of a removed entry.
function removed(first, marks)
  for i = 1, EFFECTS do
    if string.byte(marks, i) == 49 then
      removals[i](KEYS[#KEYS - EFFECTS + i], first, first)
      first = first + 1
    end
  end
end
