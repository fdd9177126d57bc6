-- SPDX-License-Identifier: Apache-2.0
-- Stands in the scripts behind which an index may have lost the entry because of which it never expires.

-- Of more names than these, nobody looks for one that never expires: the index stays, rather than keep a server busy.
local MOST_NAMES = 1000

-- Lets an index that never expires do so with its entries, if none of them lives for ever; takes out names under which
-- there is nothing. Nobody is refused anything because of this: what cannot be done is left.
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
        -- A node of a cluster that is getting the slot says so of a key that it does not have yet. Asked for two keys, of which it
        -- has one, it refuses; everyone else answers.
        redis.call('EXISTS', index, key)
      end
      return lasting
    end
    -- Mostly the first one tells.
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
