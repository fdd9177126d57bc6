-- SPDX-License-Identifier: Apache-2.0
-- Stands before every script.

-- A large value is not a string but a hash. This field has what would stand before the value, and how many parts there
-- are; the parts are the fields 0, 1 and so on.
local MANIFEST = 'keyslot:manifest'

-- Returns the manifest of a value in parts. It is an error if the key has something else that is no string.
local function manifest(key)
  local found = redis.call('HGET', key, MANIFEST)
  if not found or #found ~= (string.byte(found, 2) == 2 and 38 or 30) then
    redis.call('GET', key) -- WRONGTYPE
  end
  return found
end

-- Returns the first bytes of what is under the key, and whether the value is in parts.
local function head(key)
  local found = redis.pcall('GETRANGE', key, 0, 29)
  if type(found) == 'table' then
    return string.sub(manifest(key), 1, 30), true
  end
  return found, false
end

-- Returns what is under the key; for a value in parts a byte that no format has, and the manifest.
local function read(key)
  local found = redis.pcall('GET', key)
  return type(found) == 'table' and '\0' .. manifest(key) or found
end

-- Returns what is under the key, as Envelope.read says it: 'entry', 'lease', 'negative', or 'nothing' for whatever is
-- none of these; and its stamp and flags, and whether it is in parts.
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
    return 'nothing'
  end
  local flags = string.byte(found, 2)
  if flags == 0 or (flags == 2 and #found == 30) then
    return 'entry', stamp, flags, inParts
  elseif flags == 1 and #found == 22 then
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

-- Puts parts that were sent before in the place of what is under the key; if some of them are missing, nothing changes.
local function switch(key, parts, bytes, expiry)
  if redis.call('HLEN', parts) ~= struct.unpack('>I4', string.sub(bytes, -4)) + 1 then
    redis.call('UNLINK', parts)
    return {err = 'TRYAGAIN parts of the value are missing'}
  end
  if expiry == 'unchanged' then
    local left = redis.call('PTTL', key)
    expiry = left < 0 and 'never' or left
  end
  redis.call('RENAME', parts, key)
  expire(key, expiry)
  return 1
end

-- Stores bytes that expire after milliseconds, 'never', or 'unchanged' when what they replace would have. If the script
-- has a second key, the bytes are a manifest, and the parts are under that key. Returns the answer.
local function store(key, bytes, expiry)
  if KEYS[2] then
    return switch(key, KEYS[2], bytes, expiry)
  elseif expiry == 'unchanged' then
    redis.call('SET', key, bytes, 'KEEPTTL')
  elseif expiry == 'never' then
    redis.call('SET', key, bytes)
  else
    redis.call('SET', key, bytes, 'PX', expiry)
  end
  return 1
end
