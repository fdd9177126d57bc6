-- SPDX-License-Identifier: Apache-2.0
-- Permissions for one process: a lease to load a missing entry, a claim to refresh a stale one, and a reservation to
-- write one.

-------- lease_plain
-- The usual case of lease: there is no value, or an entry, a lease or a negative.
-- KEYS[1], ARGV  as there
if set(redis.pcall, KEYS[1], ARGV[1], ARGV[2], 'NX') then
  return ARGV[1]
end
local found = redis.pcall('GET', KEYS[1])
if (kindOf(found, ARGV[1]) or 'nothing') ~= 'nothing' then
  return found
end

-------- lease
-- Stores a lease unless there is an entry, a lease or a negative; answers the value afterwards.
-- KEYS[1]  the key
-- ARGV[1]  the lease: a header
-- ARGV[2]  the expiry: milliseconds or 'never'
if stored(KEYS[1], ARGV[1]) ~= 'nothing' then
  return read(KEYS[1])
end
store(KEYS[1], ARGV[1], ARGV[2])
return ARGV[1]

-------- claim
-- Gives the expected entry another stamp and freshness deadline, if it has one; answers 1 if it has the new stamp, else
-- 0. The value and the expiry stay.
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes
-- ARGV[2]  a header of this key and epoch
-- ARGV[3]  the new stamp and deadline, 16 bytes, in the order of the entry
local found, stamp, flags = stored(KEYS[1], ARGV[2])
if found ~= 'entry' or flags ~= 2 then
  return 0
elseif stamp == ARGV[1] then
  redis.call('SETRANGE', KEYS[1], 14, ARGV[3])
  return 1
end
-- A repeated claim, whose first answer was lost, succeeds too.
return stamp == string.sub(ARGV[3], 1, 8) and 1 or 0

-------- reserve
-- Reserves an entry for one writer, unless it is reserved or not the expected one. Answers the entry's time to live in
-- milliseconds, -1 for no expiry or no entry; and the value afterwards.
-- KEYS[1]  the key
-- ARGV[1]  a header with the stamp of the reservation, which is stored if there is no entry
-- ARGV[2]  the expected stamp, 8 bytes; zeros if there must be no entry, 'any' for any value
-- ARGV[3]  the duration of the reservation: milliseconds
local key = KEYS[1]
local found, stamp, flags = stored(key, ARGV[1])
local isEntry = found == 'entry'
local left = isEntry and redis.call('PTTL', key) or -1
local expected
if ARGV[2] == 'any' then
  expected = true
elseif ARGV[2] == ABSENT then
  expected = not isEntry
else
  expected = stamp == ARGV[2] and found ~= 'negative'
end
if not expected or (flags and flags >= 8) then
  return {left, read(key)}
end
if found == 'stranger' then
  leave()
end
if not isEntry then
  redis.call('SET', key, ARGV[1], 'PX', ARGV[3])
  return {left, ARGV[1]}
end
local lasts = tonumber(ARGV[3])
if left >= 0 and left < lasts then
  lasts = math.max(left, 1)
end
need('SETRANGE')
need('PEXPIRE')
local before = read(key)
local head = string.sub(before, 1, 1) .. string.char(flags + 8) .. string.sub(ARGV[1], 3, 22)
redis.call('SETRANGE', key, '0', head)
redis.call('PEXPIRE', key, string.format('%d', lasts))
return {left, head .. string.sub(before, 23)}

-------- release
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
