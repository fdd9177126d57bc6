-- SPDX-License-Identifier: Apache-2.0
-- Follows rights.lua in scripts on entries.

-- What index.lua and feed.lua define: whether KEYS ends with an index, and functions before and after a removal, and after
-- a change of the expiry.
local hasIndex, removing, removed, expired

-- Returns the answer of a reading command, or nothing if the key has another type than the command needs.
local function readAs(command, key, ...)
  local found = redis.pcall(command, key, ...)
  if type(found) ~= 'table' then
    return found
  elseif isForbidden(found.err) then
    forbid(command)
  elseif string.sub(found.err, 1, 9) ~= 'WRONGTYPE' then
    redis.call(command, key, ...) -- fails again, and ends the script
  end
  return nil
end

-- Returns the first bytes of a value, none for an aggregate. Numbers are passed as strings, because formatting one
-- takes longer than most commands.
local function head(key)
  return readAs('GETRANGE', key, '0', '29') or ''
end

-- Returns the value; empty for an aggregate, which is no entry.
local function read(key)
  local found = readAs('GET', key)
  return found == nil and '' or found
end

-- Returns whether Keyslot stored the bytes under this key, in any epoch and format: all contain its checksum there.
local function isOurs(found, header)
  return #found >= 22 and string.sub(found, 11, 14) == string.sub(header, 11, 14)
end

-- Ends the script because it would overwrite a foreign value. The error is a text, as for rights.
local function leave()
  error('KEYSLOT_STRANGER has this key')
end

-- Returns the kind of value, like Envelope.read: 'entry', 'lease', 'negative', 'stranger' for a foreign value, or
-- 'nothing' for any other; and its stamp and flags, where 8 means reserved for a writer. A reservation without an entry
-- is a lease with that flag.
-- key     the key
-- header  a header of this key and epoch; its flags and stamp do not matter
local function stored(key, header)
  local found = head(key)
  local stamp = string.sub(found, 15, 22)
  if #found < 22
    or string.sub(found, 1, 1) ~= string.sub(header, 1, 1)
    or string.sub(found, 3, 14) ~= string.sub(header, 3, 14)
    or stamp == string.rep('\0', 8) then
    if isOurs(found, header) or (found == '' and redis.call('PTTL', key) == -2) then
      return 'nothing'
    end
    return 'stranger'
  end
  local flags = string.byte(found, 2)
  if flags == 0 or flags == 8 or ((flags == 2 or flags == 10) and #found == 30) then
    return 'entry', stamp, flags
  elseif (flags == 1 or flags == 9) and #found == 22 then
    return 'lease', stamp, flags
  elseif flags == 4 and #found == 22 then
    return 'negative', stamp, flags
  end
  return 'nothing'
end

-- Sets the expiry to milliseconds or 'never', or leaves it 'unchanged'.
local function expire(key, expiry)
  if expiry == 'never' then
    redis.call('PERSIST', key)
  elseif expiry ~= 'unchanged' then
    redis.call('PEXPIRE', key, expiry)
  end
end

-- Returns the expiry, where 'unchanged' becomes that of the present value.
local function kept(key, expiry)
  if expiry ~= 'unchanged' then
    return expiry
  end
  local left = redis.call('PTTL', key)
  return left < 0 and 'never' or string.format('%.0f', math.max(left, 1))
end

-- Stores bytes with an expiry in milliseconds, 'never', or 'unchanged' to keep the present one. Returns the answer.
local function store(key, bytes, expiry)
  if expiry == 'unchanged' then
    redis.call('SET', key, bytes, 'KEEPTTL')
  elseif expiry == 'never' then
    redis.call('SET', key, bytes)
  else
    redis.call('SET', key, bytes, 'PX', expiry)
  end
  return 1
end
