-- SPDX-License-Identifier: Apache-2.0
-- The effects of a write: other changes in the same step, such as of an index. One of these parts follows stored.lua in
-- each script that writes entries with effects. The part of the same name from the file of each kind of effect follows,
-- and adds one function to a list.

-------- store
-- For scripts that store one entry. The part store of each effect adds its function to stores:
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

-------- remove
-- For scripts that remove entries. The part remove of each effect adds its function to removals:
-- function(key, first, last)  entries were removed, or there were none; must not refuse anything
-- Each effect has one of the last KEYS, and one of the last ARGV for each entry: all of the first effect, then the
-- next.
local removals = {}

function removed(count)
  local first = #ARGV - EFFECTS * count + 1
  for i = 1, EFFECTS do
    removals[i](KEYS[#KEYS - EFFECTS + i], first, first + count - 1)
    first = first + count
  end
end

-------- expire
-- For scripts that change the expiry of an entry. The part expire of each effect adds a function of its key to
-- expiries, which must not refuse anything. Each effect has one of the last KEYS.
local expiries = {}

function expired()
  for i = 1, EFFECTS do
    expiries[i](KEYS[#KEYS - EFFECTS + i])
  end
end

-------- group
-- For group.lua. The parts store and remove of each effect add their functions as above, the part check to checks:
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
