-- SPDX-License-Identifier: Apache-2.0
-- Lets the lease of a group's lock begin anew if the lock has this token; answers 1 if it has, 0 if not.
--
-- KEYS[1]  the lock
-- ARGV[1]  epoch and token, 12 bytes
-- ARGV[2]  when the lock is free again: milliseconds
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
