-- SPDX-License-Identifier: Apache-2.0
-- Stands behind stored.lua in group.lua if members have effects. Behind it stand the files of each effect, which add their
-- functions: name_check.lua to checks, the others as effects_store.lua and effects_remove.lua say.
--
-- function(key)  asks for all that may be refused when entries are stored, before the first of several changes
--
-- Each effect has one of the last KEYS; its arguments are where the instruction is that needs them. The marks of an
-- instruction say which of the effects it has, each with a 1 or a 0.
local stores, removals, checks = {}, {}, {}

-- Tells the effects that are marked of entries that are about to be stored; their arguments begin at first. Returns what is
-- to be called afterwards.
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

-- Tells those that are marked of an entry that was removed.
function removed(first, marks)
  for i = 1, EFFECTS do
    if string.byte(marks, i) == 49 then
      removals[i](KEYS[#KEYS - EFFECTS + i], first, first)
      first = first + 1
    end
  end
end
