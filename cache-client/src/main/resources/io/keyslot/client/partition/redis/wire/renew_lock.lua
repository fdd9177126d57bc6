-- SPDX-License-Identifier: Apache-2.0
-- Renews the lease of a group's lock if it has this token; answers 1 if it has, else 0.
-- KEYS[1]  the lock
-- ARGV[1]  epoch and token, 12 bytes
-- ARGV[2]  the lease of the lock: milliseconds
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
