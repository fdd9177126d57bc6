-- SPDX-License-Identifier: Apache-2.0
-- Removes keys from the written keys of a slot; answers 1, or 0 if the slot is not fenced as required.
-- KEYS[1]  the fences
-- KEYS[2]  the written keys
-- ARGV[1]  the required beginning of the fence
-- ARGV[2]  the number of the coordinator
-- ARGV[3]  the slot
-- ARGV[4]  and further: the keys
if not isGuarded(ARGV[1], ARGV[2], 3, 3) then
  return 0
end
if ARGV[4] then
  redis.call('SREM', KEYS[2], unpack(ARGV, 4))
end
return 1
