-- SPDX-License-Identifier: Apache-2.0
-- Removes the names without an entry from an index; answers their number.
-- KEYS[1]  the index
-- KEYS[2]  and further: the keys of the names
-- ARGV[1]  and further: for each key its name, and a header of this key and epoch
local absent = {}
for i = 2, #KEYS do
  if stored(KEYS[i], ARGV[2 * i - 2]) ~= 'entry' then
    absent[#absent + 1] = ARGV[2 * i - 3]
  end
end
return absent[1] and redis.call('ZREM', KEYS[1], unpack(absent)) or 0
