-- SPDX-License-Identifier: Apache-2.0

-------- remove
-- Removes our values under some keys; answers their number.
-- KEYS  the keys; the index if it lists their names
-- ARGV  for each key a header; the names
local ours = {}
local count = #KEYS - (hasIndex and 1 or 0)
for i = 1, count do
  if isOurs(head(KEYS[i]), ARGV[i]) then
    ours[#ours + 1] = KEYS[i]
    if removing then
      removing(KEYS[i], ARGV[i])
    end
  end
end
local unlinked = ours[1] and redis.call('UNLINK', unpack(ours)) or 0
if removed then
  removed(count)
end
return unlinked

-------- erase
-- Removes whatever is stored under some keys; answers their number.
-- KEYS  the keys
return redis.call('UNLINK', unpack(KEYS))
