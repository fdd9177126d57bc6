-- SPDX-License-Identifier: Apache-2.0
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
elseif ARGV[2] == string.rep('\0', 8) then
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
