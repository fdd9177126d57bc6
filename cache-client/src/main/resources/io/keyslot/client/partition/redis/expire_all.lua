-- SPDX-License-Identifier: Apache-2.0
-- Lets entries expire at another time; answers how many there are. If these are all that the index names, it expires with
-- them.
--
-- KEYS[1]  the index
-- KEYS[2]  and further: the keys of the entries
-- ARGV[1]  when they expire: milliseconds or 'never'
-- ARGV[2]  and further: for each entry a header of its key and epoch
local concerned = 0
for i = 2, #KEYS do
  if stored(KEYS[i], ARGV[i]) == 'entry' then
    expire(KEYS[i], ARGV[1])
    concerned = concerned + 1
  end
end
if redis.call('ZCARD', KEYS[1]) == #KEYS - 1 then
  expire(KEYS[1], ARGV[1])
end
return concerned
