-- SPDX-License-Identifier: Apache-2.0
-- Stands behind stored.lua in the scripts that remove entries with effects. Behind it stands the file of each effect,
-- name_remove.lua, which adds its function to removals:
--
-- function(key, first, last)  entries were removed, or there were none. It refuses nothing
--
-- Each effect has one of the last KEYS, and an argument for each entry, the last of ARGV: all of the first effect, then all of
-- the next one.
local removals = {}

function removed(count)
  local first = #ARGV - EFFECTS * count + 1
  for i = 1, EFFECTS do
    removals[i](KEYS[#KEYS - EFFECTS + i], first, first + count - 1)
    first = first + count
  end
end
