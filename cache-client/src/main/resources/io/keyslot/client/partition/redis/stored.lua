-- SPDX-License-Identifier: Apache-2.0
-- Stands before every script.

-- Returns what is under the key, as Envelope.read says it: 'entry', 'lease', 'negative', or 'nothing' for whatever is
-- none of these; and its stamp and flags.
--
-- key     the key
-- header  a header of this key and epoch; flags and stamp do not matter
local function stored(key, header)
  local found = redis.call('GETRANGE', key, '0', '29')
  local stamp = string.sub(found, 15, 22)
  if #found < 22
    or string.sub(found, 1, 1) ~= string.sub(header, 1, 1)
    or string.sub(found, 3, 14) ~= string.sub(header, 3, 14)
    or stamp == string.rep('\0', 8) then
    return 'nothing'
  end
  local flags = string.byte(found, 2)
  if flags == 0 or (flags == 2 and #found == 30) then
    return 'entry', stamp, flags
  elseif flags == 1 and #found == 22 then
    return 'lease', stamp, flags
  elseif flags == 4 and #found == 22 then
    return 'negative', stamp, flags
  end
  return 'nothing'
end

-- Stores bytes that expire after milliseconds, 'never', or 'unchanged' when what they replace would have.
local function store(key, bytes, expiry)
  if expiry == 'unchanged' then
    redis.call('SET', key, bytes, 'KEEPTTL')
  elseif expiry == 'never' then
    redis.call('SET', key, bytes)
  else
    redis.call('SET', key, bytes, 'PX', expiry)
  end
end

-- Lets what is stored expire after milliseconds, 'never', or 'unchanged'.
local function expire(key, expiry)
  if expiry == 'never' then
    redis.call('PERSIST', key)
  elseif expiry ~= 'unchanged' then
    redis.call('PEXPIRE', key, expiry)
  end
end
