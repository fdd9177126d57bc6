-- SPDX-License-Identifier: Apache-2.0
-- Follows stored.lua in scripts on raw entries and replaces its functions: any string is an entry, regardless of its
-- writer, unless it has an envelope of this key. Its stamp is derived from its bytes; see Fingerprint. There are no
-- leases, negatives or reservations.
-- ARGV, the last  the checksum of the key as in an envelope, 4 bytes
local CHECKSUM = ARGV[#ARGV]

-- Possibly an expected stamp; in other scripts, this argument usually has another length.
local EXPECTED = ARGV[1]

local function stampOf(value)
  local digits = '1' .. string.sub(redis.sha1hex(value), 2, 16)
  return (string.gsub(digits, '..', function(pair)
    return string.char(tonumber(pair, 16))
  end))
end

-- Returns the bytes; false if there is no value, or one that is no string.
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

-- The head of a value that is removed without a look at its bytes: see unlink.lua.
local function head(key)
  return readAs('STRLEN', key) and key or nil
end

local function isOurs(found)
  return found ~= nil
end
