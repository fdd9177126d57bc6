-- SPDX-License-Identifier: Apache-2.0
-- The form of entries.

-------- kinds
-- Precedes all in scripts on entries. Has few functions, because a server creates those of a script at each call.

-- The stamp where there is no entry.
local ABSENT = '\0\0\0\0\0\0\0\0'

-- Returns the kind of a value of this epoch: 'entry', 'lease', 'negative' or 'nothing'; and its stamp and flags, where 8
-- means reserved for a writer. A reservation without an entry is a lease with that flag. Returns nil for any other value.
-- found   at least the first 30 bytes, or another answer of the server
-- header  a header of this key and epoch; its flags and stamp do not matter
local function kindOf(found, header)
  if type(found) ~= 'string'
    or #found < 22
    or string.byte(found) ~= string.byte(header)
    or string.sub(found, 3, 14) ~= string.sub(header, 3, 14)
  then
    return nil
  end
  local stamp, flags = string.sub(found, 15, 22), string.byte(found, 2)
  if stamp == ABSENT then
    return 'nothing'
  elseif flags == 0 or flags == 8 or ((flags == 2 or flags == 10) and #found >= 30) then
    return 'entry', stamp, flags
  elseif (flags == 1 or flags == 9) and #found == 22 then
    return 'lease', stamp, flags
  elseif flags == 4 and #found == 22 then
    return 'negative', stamp, flags
  end
  return 'nothing'
end

-- Stores bytes with an expiry in milliseconds, 'never', or 'unchanged' to keep the present one. Returns whether it did.
-- call  redis.call or redis.pcall
-- ...   'NX' to store nothing if there is a value; the expiry is not 'unchanged' then
local function set(call, key, bytes, expiry, ...)
  if expiry == 'unchanged' then
    return call('SET', key, bytes, 'KEEPTTL').ok
  end
  local answer
  if expiry == 'never' then
    answer = call('SET', key, bytes, ...)
  else
    answer = call('SET', key, bytes, 'PX', expiry, ...)
  end
  return answer and answer.ok
end

-------- stored
-- Follows rights.lua.

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

-- Returns the kind of the value of a key, like Envelope.read: that of kindOf, 'nothing' also for values of other epochs
-- and formats, or 'stranger' for a foreign value; and its stamp and flags.
local function stored(key, header)
  local found = head(key)
  local kind, stamp, flags = kindOf(found, header)
  if not kind and (isOurs(found, header) or (found == '' and redis.call('PTTL', key) == -2)) then
    kind = 'nothing'
  end
  return kind or 'stranger', stamp, flags
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

-- Stores bytes; see set. Returns the answer.
local function store(key, bytes, expiry)
  set(redis.call, key, bytes, expiry)
  return 1
end
