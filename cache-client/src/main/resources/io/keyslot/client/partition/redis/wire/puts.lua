-- SPDX-License-Identifier: Apache-2.0
-- Stands before group.lua, which says what KEYS and ARGV are: the entries that are put.
--
-- What takes a server its time are words and calls. So what is known is not looked up again, and nothing is said twice.
local call, try, KEYS, ARGV = redis.call, redis.pcall, KEYS, ARGV
local NONE = KEYS[3]

-- Puts entries under as many different keys, the first of which is KEYS[k]; they stand in ARGV from first to last, and
-- behind them what their effects note, if they have any. Everything is read, and all rights are asked for, before the first change.
--
-- onCreation, onUpdate  when new ones expire, and those that replace entries
-- old, unknown          from where on in ARGV they are known to replace entries; from where on nothing is known
-- lasting               how long the effects shall last, 'unchanged' if that depends on what is there, or nothing
-- marks                 which of the effects they have, if any
local function put(k, first, last, onCreation, onUpdate, old, unknown, lasting, marks)
  local olds, replacing = unknown - old, nil
  if onCreation == onUpdate then
    olds = last + 1 - first
  else
    -- Mostly nothing expires, and there is nothing to be kept: then it does not matter what was there.
    local isKept = onCreation == 'never' and onUpdate == 'unchanged'
    for i = unknown, last do
      local key = KEYS[k + i - first]
      if not (isKept and call('PTTL', key) < 0) and stored(key, ARGV[i]) == 'entry' then
        replacing = replacing or {}
        replacing[i] = true
        olds = olds + 1
      end
    end
  end
  local all = olds == 0 and onCreation or olds == last + 1 - first and onUpdate
  need(all == 'never' and 'MSET' or 'SET')
  if lasting == 'unchanged' then -- that of new ones, or of the one that has longest
    lasting = onCreation
    for i = first, last do
      local key = KEYS[k + i - first]
      local left = call('PTTL', key)
      if left == -1 and stored(key, ARGV[i]) == 'entry' then
        lasting = 'never'
        break
      elseif left > lasting + 0 then
        lasting = string.format('%.0f', left)
      end
    end
  end
  local afterwards = lasting ~= '' and storing(lasting, last + 1, last + 1 - first, marks)
  if all == 'never' then
    local pairs, n = {}, 0
    for i = first, last do
      pairs[n + 1], pairs[n + 2] = KEYS[k + i - first], ARGV[i]
      n = n + 2
    end
    call('MSET', unpack(pairs))
  else
    for i = first, last do
      local key, expiry = KEYS[k + i - first], all
      if not expiry then
        local isOld = (i >= old and i < unknown) or (replacing and replacing[i])
        expiry = isOld and onUpdate or onCreation
      end
      -- As store does it, but for its cost.
      if expiry == 'unchanged' then
        call('SET', key, ARGV[i], 'KEEPTTL')
      elseif expiry == 'never' then
        call('SET', key, ARGV[i])
      else
        call('SET', key, ARGV[i], 'PX', expiry)
      end
    end
  end
  if afterwards then
    for i = 1, #afterwards do
      afterwards[i]()
    end
  end
end
