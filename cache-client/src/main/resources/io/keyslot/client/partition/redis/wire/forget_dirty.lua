-- SPDX-License-Identifier: Apache-2.0
-- Forgets that writes have named some keys in a slot; answers 1, or 0 if the slot is not fenced as it must be.
--
-- KEYS[1]  the fences
-- KEYS[2]  where the named keys are
-- ARGV[1]  how the fence begins
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
