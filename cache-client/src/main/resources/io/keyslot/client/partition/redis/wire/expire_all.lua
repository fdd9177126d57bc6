-- SPDX-License-Identifier: Apache-2.0
-- Changes the expiry of entries; answers their number.
-- KEYS[1]  the index that lists them
-- KEYS[2]  and further: the keys of the entries
-- ARGV[1]  the expiry: milliseconds or 'never'
-- ARGV[2]  and further: for each entry a header of its key and epoch
local entries = {}
for i = 2, #KEYS do
  if stored(KEYS[i], ARGV[i]) == 'entry' then
    entries[#entries + 1] = KEYS[i]
  end
end
-- The index must not expire before them.
local left = redis.call('PTTL', KEYS[1])
if entries[1] and left >= 0 and (ARGV[1] == 'never' or left < ARGV[1] + 0) then
  expire(KEYS[1], ARGV[1])
end
for _, key in ipairs(entries) do
  expire(key, ARGV[1])
end
return #entries
