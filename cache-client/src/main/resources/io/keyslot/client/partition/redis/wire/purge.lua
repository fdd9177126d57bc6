-- SPDX-License-Identifier: Apache-2.0
-- Removes some keys with any value; answers 1, or 0 if the slots are not fenced as required.
-- KEYS[1]  the fences
-- KEYS[2]  and further: the keys
-- ARGV[1]  the required beginning of the fences
-- ARGV[2]  the number of the coordinator
-- ARGV[3]  the number of slots; the slots
if not isGuarded(ARGV[1], ARGV[2], 4, 3 + ARGV[3]) then
  return 0
end
if KEYS[2] then
  redis.call('UNLINK', unpack(KEYS, 2))
end
return 1
