-- SPDX-License-Identifier: Apache-2.0
-- Changes of a key whose present entry or lease is the expected one. Stamps tell entries apart.

-------- any_plain
-- The usual case: an entry or a lease is expected and present, or no value or an entry is present if none is expected.
-- Precedes the others.
-- KEYS[1], ARGV[1], ARGV[2]  as there
local isNew, present = ARGV[1] == ABSENT, nil
if not isNew then
  local kind, stamp, flags = kindOf(redis.pcall('GETRANGE', KEYS[1], '0', '29'), ARGV[2])
  if (kind == 'entry' or kind == 'lease') and flags < 8 then
    if stamp ~= ARGV[1] then
      return 0
    end
    present = kind
  end
end

-------- set_plain
local expiry = present ~= 'entry' and ARGV[3] == 'unchanged' and 'never' or ARGV[3]
if isNew and set(redis.pcall, KEYS[1], ARGV[2], expiry, 'NX') or present and set(redis.pcall, KEYS[1], ARGV[2], expiry) then
  return 1
elseif isNew and kindOf(redis.pcall('GETRANGE', KEYS[1], '0', '29'), ARGV[2]) == 'entry' then
  return 0
end

-------- remove_plain
if present then
  redis.call('UNLINK', KEYS[1])
  return 1
end

-------- set
-- Stores an entry if the present entry or lease is the expected one; answers 1 if it did, else 0.
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes; zeros if there must be neither an entry nor a reservation
-- ARGV[2]  the entry, header and payload
-- ARGV[3]  the expiry: milliseconds, 'never' or 'unchanged', which is 'never' for a new entry
local found, stamp, flags = stored(KEYS[1], ARGV[2])
local expected
if ARGV[1] == ABSENT then
  if found == 'stranger' then
    leave()
  end
  expected = found ~= 'entry' and flags ~= 9
else
  expected = stamp == ARGV[1] and found ~= 'negative'
end
if expected then
  local isNew = found ~= 'entry'
  return store(KEYS[1], ARGV[2], isNew and ARGV[3] == 'unchanged' and 'never' or ARGV[3])
end
return 0

-------- remove
-- Removes the expected entry or lease; answers 1 if it did, else 0.
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes; zeros to remove anything but an entry, and to answer 0 for an entry
-- ARGV[2]  a header of this key and epoch
local found, stamp = stored(KEYS[1], ARGV[2])
if ARGV[1] == ABSENT then
  if found == 'entry' then
    return 0
  elseif found == 'stranger' then
    return 1 -- there is no entry, and a foreign value stays
  end
elseif stamp ~= ARGV[1] or found == 'negative' then
  return 0
end
if removing then
  removing(KEYS[1], ARGV[2])
end
redis.call('UNLINK', KEYS[1])
if removed then
  removed(1)
end
return 1

-------- expire_plain
if present then
  if ARGV[3] == 'never' then
    redis.call('PERSIST', KEYS[1])
  elseif ARGV[3] ~= 'unchanged' then
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
  end
  return 1
end

-------- expire
-- Changes the expiry of the expected entry or lease; answers 1 if it is the expected one, else 0.
-- KEYS[1]  the key
-- ARGV[1]  the expected stamp, 8 bytes
-- ARGV[2]  a header of this key and epoch
-- ARGV[3]  the expiry: milliseconds, 'never' or 'unchanged'
local found, stamp = stored(KEYS[1], ARGV[2])
if stamp ~= ARGV[1] or found == 'negative' then
  return 0
end
expire(KEYS[1], ARGV[3])
if expired then
  expired()
end
return 1
