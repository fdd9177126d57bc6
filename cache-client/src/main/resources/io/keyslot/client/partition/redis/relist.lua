-- SPDX-License-Identifier: Apache-2.0
-- Lists those keys in an index under which there is an entry; answers how many were not listed.
--
-- KEYS[1]  the index
-- KEYS[2]  and further: the keys
-- ARGV[1]  and further: for each key its name, and a header of this key and epoch
local added = 0
for i = 2, #KEYS do
  local name = 2 * i - 3
  if stored(KEYS[i], ARGV[name + 1]) == 'entry' then
    local left = redis.call('PTTL', KEYS[i])
    added = added + list(KEYS[1], left < 0 and 'never' or math.max(left, 1), name, name)
  end
end
return added
