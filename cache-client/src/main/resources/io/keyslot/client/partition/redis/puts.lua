-- SPDX-License-Identifier: Apache-2.0
-- Precedes group.lua, which defines KEYS and ARGV: puts of entries. Words and calls determine the time in the server,
-- so known facts are not looked up again and no word is sent twice.
local call, try, KEYS, ARGV = redis.call, redis.pcall, KEYS, ARGV
local NONE, INDEX = KEYS[3], KEYS[#KEYS]

-- Puts entries under different keys, from KEYS[k] on; the entries are ARGV[first] to ARGV[last], followed by their
-- names if they are indexed. Reads everything and checks all rights before the first change.
-- onCreation, onUpdate  the expiry of new entries, and of replaced ones
-- old, unknown          the positions in ARGV from which entries are known to replace others, and from which nothing is
--                       known
-- lasting               the lifetime of the names in the index, 'unchanged' if it depends on the present entries, or
--                       nothing if they are not indexed
local function put(k, first, last, onCreation, onUpdate, old, unknown, lasting)
  local olds, replacing = unknown - old, nil
  if onCreation == onUpdate then
    olds = last + 1 - first
  else
    -- Usually nothing expires and no expiry has to be kept; then the present value does not matter.
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
  if lasting == 'unchanged' then -- the expiry of new entries, or the longest present one
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
  local isEternal = false
  if lasting ~= '' then
    isEternal = select(2, list(INDEX, lasting, last + 1, 2 * last + 1 - first))
  end
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
      -- Like store, but faster.
      if expiry == 'unchanged' then
        call('SET', key, ARGV[i], 'KEEPTTL')
      elseif expiry == 'never' then
        call('SET', key, ARGV[i])
      else
        call('SET', key, ARGV[i], 'PX', expiry)
      end
    end
  end
  if isEternal then
    let_expire(INDEX)
  end
end
