-- SPDX-License-Identifier: Apache-2.0
-- Stands behind rights.lua in the scripts about entries.

-- How many effects there are, and what they do behind a removal and behind a change of the expiry: the client puts how
-- many before effects_*.lua, where they are.
local EFFECTS, removed, expired = 0, nil, nil

-- Returns the answer of a command that reads, or nothing if the key has another type than the command is for.
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

-- Returns the first bytes of what is under the key, none if that is an aggregate. Numbers are given to commands as strings:
-- formatting one takes longer than most commands.
local function head(key)
  return readAs('GETRANGE', key, '0', '29') or ''
end

-- Returns what is under the key; for an aggregate no bytes, which are no entry.
local function read(key)
  local found = readAs('GET', key)
  return found == nil and '' or found
end

-- Returns whether bytes were stored by Keyslot under their key, in whatever epoch and format: all have its checksum there.
local function isOurs(found, header)
  return #found >= 22 and string.sub(found, 11, 14) == string.sub(header, 11, 14)
end

-- Ends the script because there is something of somebody else where it would store something. A text, as for rights.
local function leave()
  error('KEYSLOT_STRANGER has this key')
end

-- Returns what is under the key, as Envelope.read says it: 'entry', 'lease', 'negative', 'stranger' for what is not ours,
-- or 'nothing' for whatever is none of these; and its stamp and flags, of which 8 says that the place is reserved for a
-- writer. A reservation where there is no entry is a lease with that flag.
--
-- key     the key
-- header  a header of this key and epoch; flags and stamp do not matter
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

-- Lets what is stored expire after milliseconds, 'never', or 'unchanged'.
local function expire(key, expiry)
  if expiry == 'never' then
    redis.call('PERSIST', key)
  elseif expiry ~= 'unchanged' then
    redis.call('PEXPIRE', key, expiry)
  end
end

-- Returns when what is stored expires, if it is to expire when what it replaces would have.
local function kept(key, expiry)
  if expiry ~= 'unchanged' then
    return expiry
  end
  local left = redis.call('PTTL', key)
  return left < 0 and 'never' or string.format('%.0f', math.max(left, 1))
end

-- Stores bytes that expire after milliseconds, 'never', or 'unchanged' when what they replace would have. Returns the
-- answer.
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
