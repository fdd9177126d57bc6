-- SPDX-License-Identifier: Apache-2.0
-- Sets the expiry of an index if it is held, which means that no name was added meanwhile. Answers 1 if it did.
-- KEYS[1]  the index
-- ARGV[1]  the expiry: milliseconds or 'never'
if not isHeld(redis.call('PTTL', KEYS[1])) then
  return 0
end
expire(KEYS[1], ARGV[1])
return 1
