-- SPDX-License-Identifier: Apache-2.0
-- Removes the entry if it is the expected one; answers 1 if it did, 0 if not.
--
-- KEYS[1]  the key
-- ARGV[1]  the 22 bytes that the present entry must start with
if redis.call('GETRANGE', KEYS[1], 0, 21) ~= ARGV[1] then
  return 0
end
redis.call('UNLINK', KEYS[1])
return 1
