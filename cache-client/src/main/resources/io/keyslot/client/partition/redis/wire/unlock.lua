-- SPDX-License-Identifier: Apache-2.0
-- Releases the lock of a group if this holder has it; answers 1 if it had, else 0.
-- KEYS[1]  the lock
-- KEYS[2]  the stamps of the group, with the token and holder of its last lock, 16 bytes, in the field lock
-- ARGV[1]  the epoch, 4 bytes
-- ARGV[2]  the holder, 8 bytes
local present = redis.call('GET', KEYS[1])
local last = redis.call('HGET', KEYS[2], 'lock')
if not present or not last or present .. ARGV[2] ~= ARGV[1] .. last then
  return 0
end
redis.call('UNLINK', KEYS[1])
return 1
