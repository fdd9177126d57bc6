-- SPDX-License-Identifier: Apache-2.0
-- The effect of a write on the index of its group; see effects.lua.

-------- check
checks[#checks + 1] = function(index)
  need('PTTL', true)
  need('ZADD', true)
  need('PERSIST', true)
  need('PEXPIRE', true)
  redis.call('ZCARD', index)
end

-------- store
-- requires index.lua#list indexed.lua#ease
-- Lists the name of each entry in the index of its group first, so that a foreign value under the index's key is found
-- before the first write.
stores[#stores + 1] = function(index, lasting, first, last)
  local _, isEternal = list(index, lasting, first, last)
  return isEternal and function()
    ease(index)
  end or nil
end

-------- remove
-- requires indexed.lua#ease
-- Names in an index are hints: a name that stays, because of a missing right or a foreign value under the index's key,
-- is not taken for an entry.
removals[#removals + 1] = function(index, first, last)
  redis.pcall('ZREM', index, unpack(ARGV, first, last))
  ease(index)
end

-------- expire
-- requires indexed.lua#ease
expiries[#expiries + 1] = ease

-------- ease
-- For scripts after which an index may have lost the entry because of which it never expires.

-- With more names than these, no unexpiring entry is searched for: the index stays, to spare the server.
local MOST_NAMES = 1000

-- Lets an index without expiry expire with its entries, if all of them expire; removes names without an entry. If this
-- fails, the index stays; the command succeeds.
local function ease(index)
  if redis.pcall('PTTL', index) ~= -1 then
    return
  end
  pcall(function()
    local tag = string.match(index, '{.*}')
    local function left(name)
      local colon = string.find(name, ':', 1, true)
      local key = string.sub(name, 1, colon) .. tag .. string.sub(name, colon + 1)
      local lasting = redis.call('PTTL', key)
      if lasting == -2 then
        -- A cluster node that is importing the slot reports a key that it does not have yet as missing. For two keys of
        -- which it has one, it refuses; every other server answers.
        redis.call('EXISTS', index, key)
      end
      return lasting
    end
    -- Usually the first name decides.
    local names = redis.call('ZRANGE', index, '0', '0')
    if not names[1] or left(names[1]) == -1 then
      return
    end
    names = redis.call('ZRANGE', index, '0', MOST_NAMES)
    local most, gone = 0, {}
    for _, name in ipairs(names) do
      local lasting = left(name)
      if lasting == -1 or #names > MOST_NAMES then
        return
      elseif lasting == -2 then
        gone[#gone + 1] = name
      else
        most = math.max(most, lasting + 1)
      end
    end
    if gone[1] then
      redis.call('ZREM', index, unpack(gone))
    end
    if most > 0 then
      redis.call('PEXPIRE', index, string.format('%.0f', most))
    end
  end)
end
