-- SPDX-License-Identifier: Apache-2.0
-- Lets the entry expire at another time if it is the expected one; answers 1 if it is, 0 if not.
--
-- KEYS[1]  the key
-- ARGV[1]  the 22 bytes that the present entry must start with
-- ARGV[2]  when it expires: milliseconds, 'never' or 'unchanged'
if redis.call('GETRANGE', KEYS[1], 0, 21) ~= ARGV[1] then
  return 0
end
if ARGV[2] == 'never' then
  redis.call('PERSIST', KEYS[1])
elseif ARGV[2] ~= 'unchanged' then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1
