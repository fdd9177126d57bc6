-- SPDX-License-Identifier: Apache-2.0
-- Releases a reservation: an entry gets another stamp and its time to live; a reservation without an entry is removed.
-- Answers 1 if the reservation had the stamp, else 0.
-- KEYS[1]  the key
-- ARGV[1]  the stamp of the reservation, 8 bytes
-- ARGV[2]  a header of this key and epoch
-- ARGV[3]  the new stamp, 8 bytes
-- ARGV[4]  the expiry of the entry: milliseconds or 'never'
local key = KEYS[1]
local found, stamp, flags = stored(key, ARGV[2])
if stamp ~= ARGV[1] or flags < 8 then
  return 0
end
if found ~= 'entry' then
  redis.call('UNLINK', key)
  return 1
end
need('SETRANGE')
need(ARGV[4] == 'never' and 'PERSIST' or 'PEXPIRE')
redis.call('SETRANGE', key, '1', string.char(flags - 8) .. string.sub(ARGV[2], 3, 14) .. ARGV[3])
expire(key, ARGV[4])
return 1
