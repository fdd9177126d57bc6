-- SPDX-License-Identifier: Apache-2.0
-- Stands behind stored.lua in the scripts about raw entries, and says of them what that says of entries with an envelope: any
-- string is one, whoever has stored it, unless there is an envelope of this key. Its stamp follows from its bytes: see
-- Fingerprint. There are no leases, no negatives and no reservations.
--
-- ARGV, the last  the checksum of the key as an envelope has it, 4 bytes
local CHECKSUM = ARGV[#ARGV]

-- What may be a stamp that is expected: of other scripts, what stands there has mostly another length.
local EXPECTED = ARGV[1]

local function stampOf(value)
  local digits = '1' .. string.sub(redis.sha1hex(value), 2, 16)
  return (string.gsub(digits, '..', function(pair)
    return string.char(tonumber(pair, 16))
  end))
end

-- Returns the bytes, false if there is nothing or something that is no string.
local function read(key)
  return readAs('GET', key) or false
end

local function stored(key)
  local found = readAs('GET', key)
  if found == nil then
    return 'stranger'
  elseif not found or (#found >= 22 and string.sub(found, 11, 14) == CHECKSUM) then
    return 'nothing'
  end
  return 'entry', #EXPECTED == 8 and stampOf(found) or nil, 0
end

-- What is to be removed without a look at its bytes: see unlink.lua.
local function head(key)
  return readAs('STRLEN', key) and key or nil
end

local function isOurs(found)
  return found ~= nil
end
