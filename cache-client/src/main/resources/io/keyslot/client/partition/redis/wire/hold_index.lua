-- SPDX-License-Identifier: Apache-2.0
-- Holds an index, so that it outlives its entries while their expiry is changed. If it is held already, it will not
-- expire at all. Answers 1.
-- KEYS[1]  the index
if isHeld(redis.call('PTTL', KEYS[1])) then
  redis.call('PERSIST', KEYS[1])
else
  redis.call('PEXPIRE', KEYS[1], HELD)
end
return 1
