-- SPDX-License-Identifier: Apache-2.0
-- Adds the names of keys with an entry to an index; answers the number of names that were added.
-- KEYS[1]  the index
-- KEYS[2]  and further: the keys
-- ARGV[1]  and further: for each key its name, and a header of this key and epoch
local found = {}
for i = 2, #KEYS do
  local name = 2 * i - 3
  if stored(KEYS[i], ARGV[name + 1]) == 'entry' then
    found[#found + 1] = {name = name, lasting = kept(KEYS[i], 'unchanged')}
  end
end
-- A later one may need another right than the first one.
if found[1] then
  need('ZADD')
  need('PEXPIRE')
end
local added = 0
for _, entry in ipairs(found) do
  added = added + (list(KEYS[1], entry.lasting, entry.name, entry.name))
end
return added
