-- SPDX-License-Identifier: Apache-2.0
-- Follows stored.lua in scripts that remove entries with effects. The files name_remove.lua follow; each adds its
-- function to removals:
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
