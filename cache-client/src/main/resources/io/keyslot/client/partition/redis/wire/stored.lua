-- SPDX-License-Identifier: Apache-2.0
-- Stands behind rights.lua in the scripts about entries.

-- How many effects there are, and what they do behind a removal and behind a change of the expiry: the client puts how
-- many before effects_*.lua, where they are.
local EFFECTS, removed, expired = 0, nil, nil

-- A large value is not a string but a hash. This field has what would stand before the value, and how many parts there
-- are; the parts are the fields 0, 1 and so on.
local MANIFEST = 'keyslot:manifest'

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

-- Returns the manifest of a value in parts, or nothing if there is something else.
local function manifest(key)
  local found = readAs('HGET', key, MANIFEST)
  return found and #found == (string.byte(found, 2) % 8 == 2 and 38 or 30) and found or nil
end

-- Returns the first bytes of what is under the key, none if that is an aggregate; and whether the value is in parts.
-- Numbers are given to commands as strings: formatting one takes longer than most commands.
local function head(key)
  local found = readAs('GETRANGE', key, '0', '29')
  if found then
    return found, false
  end
  local inParts = manifest(key)
  return inParts and string.sub(inParts, 1, 30) or '', inParts ~= nil
end

-- Returns what is under the key; for a value in parts a byte that no format has, and the manifest; for an aggregate no
-- bytes, which are no entry.
local function read(key)
  local found = readAs('GET', key)
  if found == nil then
    local inParts = manifest(key)
    return inParts and '\0' .. inParts or ''
  end
  return found
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
-- or 'nothing' for whatever is none of these; its stamp and flags, of which 8 says that the place is reserved for a
-- writer; and whether it is in parts. A reservation where there is no entry is a lease with that flag.
--
-- key     the key
-- header  a header of this key and epoch; flags and stamp do not matter
local function stored(key, header)
  local found, inParts = head(key)
  local stamp = string.sub(found, 15, 22)
  if #found < 22
    or string.sub(found, 1, 1) ~= string.sub(header, 1, 1)
    or string.sub(found, 3, 14) ~= string.sub(header, 3, 14)
    or stamp == string.rep('\0', 8) then
    if isOurs(found, header) or (found == '' and redis.call('PTTL', key) == -2) then
      return 'nothing', nil, nil, inParts
    end
    return 'stranger'
  end
  local flags = string.byte(found, 2)
  if flags == 0 or flags == 8 or ((flags == 2 or flags == 10) and #found == 30) then
    return 'entry', stamp, flags, inParts
  elseif (flags == 1 or flags == 9) and #found == 22 then
    return 'lease', stamp, flags
  elseif flags == 4 and #found == 22 then
    return 'negative', stamp, flags
  end
  return 'nothing', nil, nil, inParts
end

-- Lets what is stored expire after milliseconds, 'never', or 'unchanged'.
local function expire(key, expiry)
  if expiry == 'never' then
    redis.call('PERSIST', key)
  elseif expiry ~= 'unchanged' then
    redis.call('PEXPIRE', key, expiry)
  end
end

-- Where the parts are of a value in parts that is to be stored; its bytes are the manifest.
local PARTS = KEYS[2]

-- Looks for whatever might stand in the way of storing bytes, and ends the script if the user may not. Returns an error
-- that is the answer if parts are missing; then nothing is to be stored.
local function prepare(key, bytes, expiry)
  if not PARTS then
    need('SET')
    return nil
  elseif redis.call('HLEN', PARTS) ~= struct.unpack('>I4', string.sub(bytes, -4)) + 1 then
    redis.call('UNLINK', PARTS)
    return {err = 'TRYAGAIN parts of the value are missing'}
  end
  need('RENAME')
  need(expiry == 'never' and 'PERSIST' or 'PEXPIRE')
  return nil
end

-- Puts parts that were sent before in the place of what is under the key.
local function switch(key, expiry)
  redis.call('RENAME', PARTS, key)
  expire(key, expiry)
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
  if PARTS then
    local expiresAt = kept(key, expiry)
    local refusal = prepare(key, bytes, expiresAt)
    if refusal then
      return refusal
    end
    switch(key, expiresAt)
  elseif expiry == 'unchanged' then
    redis.call('SET', key, bytes, 'KEEPTTL')
  elseif expiry == 'never' then
    redis.call('SET', key, bytes)
  else
    redis.call('SET', key, bytes, 'PX', expiry)
  end
  return 1
end
