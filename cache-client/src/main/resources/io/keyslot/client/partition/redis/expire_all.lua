-- SPDX-License-Identifier: Apache-2.0
-- Lets entries expire at another time; answers how many there are.
--
-- KEYS     the keys of the entries
-- ARGV[1]  when they expire: milliseconds or 'never'
-- ARGV[2]  and further: for each entry a header of its key and epoch
local concerned = 0
for i = 1, #KEYS do
  if stored(KEYS[i], ARGV[i + 1]) == 'entry' then
    expire(KEYS[i], ARGV[1])
    concerned = concerned + 1
  end
end
return concerned
