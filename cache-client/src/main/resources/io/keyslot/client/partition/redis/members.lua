-- SPDX-License-Identifier: Apache-2.0
-- Precedes group.lua, which defines KEYS and ARGV: the members of a group that are not plain strings.
-- An aggregate is a table with its name, its stamp, and its state: 'lives', 'nothing', 'stale' or 'unknown' for a value
-- that counts as nothing, 'else' for another value, or 'stranger' for one that may be foreign.
local STAMPS = KEYS[1]

-- The field of the stamps, which expire with the longest-lived aggregate, that holds its name. No member has such a
-- name.
local LONGEST = 'longest'

-- The stamps also hold the token of the last lock, for at least a day.
local DAY = 24 * 3600000

-- With more stamps than these, the longest-lived aggregate is not searched for: the stamps stay, to spare the server.
local MOST_LOOKED_AT = 10000

-- Returns the functions on aggregates, for this epoch and stamp. They are created only if there is an aggregate,
-- because a server creates each function of a script at each call.
local function functionsOfAggregates(EPOCH, STAMP, isGuarded)
  -- The changed aggregates by name; the milliseconds for which their stamps are needed, and by which of them; and the
  -- names of those that may expire earlier than before.
  local changed, needed, longest, shorter = {}, 0, nil, {}

  local function isEntry(key, found)
    return found == 'string' and call('GETRANGE', key, '0', '0') == '\1'
  end

  -- Returns the state, the stamp and the actual type of a value that should be of the wanted type.
  local function look(key, header, name, wanted)
    local found = call('TYPE', key).ok
    if found == 'none' then
      return 'nothing', ABSENT, found
    end
    -- An entry may have replaced an aggregate whose stamp is still there.
    local entry = isEntry(key, found) and stored(key, header) or 'stranger'
    if entry ~= 'stranger' then
      return entry == 'entry' and 'else' or 'stale', ABSENT, found
    end
    local field = call('HGET', STAMPS, name)
    if not field then
      -- The stamp was lost, or the value is foreign. An instance that was adopted without foreign keys takes it for the
      -- former, but deletes it only to store another aggregate.
      return isGuarded and 'stranger' or 'unknown', ABSENT, found
    elseif string.sub(field, 1, 4) ~= EPOCH then
      return 'stale', ABSENT, found
    elseif found ~= wanted then
      return 'else', ABSENT, found
    end
    return 'lives', string.sub(field, 5), found
  end

  -- Changes the expiry of an aggregate to milliseconds, 'never', or 'unchanged', and keeps its stamp as long.
  local function live(key, name, expiry, isNew)
    if expiry == 'never' or (isNew and expiry == 'unchanged') then
      needed, longest = math.huge, name
      if not isNew then
        call('PERSIST', key)
      end
    elseif expiry ~= 'unchanged' then
      shorter[name] = true
      if expiry + 0 > needed then
        needed, longest = expiry + 0, name
      end
      call('PEXPIRE', key, expiry)
    end
  end

  -- Records that an aggregate was changed.
  local function note(key, aggregate, expiry)
    local isNew = aggregate.state ~= 'lives'
    changed[aggregate.name] = aggregate
    if call('EXISTS', key) == 1 then
      aggregate.state, aggregate.stamp = 'lives', STAMP
      live(key, aggregate.name, expiry, isNew)
    else
      aggregate.state, aggregate.stamp = 'nothing', ABSENT
      shorter[aggregate.name] = true
    end
  end

  local function isNothing(answer)
    return not answer or answer == 0 or (type(answer) == 'table' and #answer == 0)
  end

  -- Changes an aggregate by a command, whose answer is taken as follows:
  -- do       the aggregate has changed
  -- some     it has changed unless the answer says that nothing did
  -- index    it has changed if the index exists; the answer is 1 or 0
  -- attempt  it has changed if that is possible
  -- Returns the answer; or nothing, and the error.
  local function change(how, key, aggregate, expiry, command, ...)
    if aggregate.state == 'stale' or aggregate.state == 'unknown' then
      call('UNLINK', key)
      aggregate.state = 'nothing'
    end
    local answer = try(command, key, ...)
    local err = type(answer) == 'table' and answer.err
    if how == 'index' and (not err or string.sub(err, 1, 4) == 'ERR ') then
      answer = err and 0 or 1
    elseif err then
      return nil, answer
    end
    if how == 'do' or how == 'attempt' or not isNothing(answer) then
      note(key, aggregate, expiry)
    end
    return answer
  end

  -- Removes an aggregate, or the rest of one; returns 1 if there was one, or 0.
  local function delete(key, aggregate)
    if aggregate.state == 'unknown' then
      return 0
    end
    local lived = aggregate.state == 'lives'
    call('UNLINK', key)
    aggregate.state, aggregate.stamp = 'nothing', ABSENT
    changed[aggregate.name], shorter[aggregate.name] = aggregate, true
    return lived and 1 or 0
  end

  -- Returns the key of an aggregate; nothing for a field that is not about one.
  local function keyOf(name)
    local tag = string.match(STAMPS, '{.*}')
    local colon = string.find(name, ':', 1, true)
    return name == '' and string.sub(tag, 2, -2)
      or colon and string.sub(name, 1, colon) .. tag .. string.sub(name, colon + 1)
  end

  -- Removes the stamps of some expired or evicted aggregates, so that they do not accumulate: each new stamp causes a
  -- check of two.
  local function tidy()
    for _, name in ipairs(call('HRANDFIELD', STAMPS, '2')) do
      local key = keyOf(name)
      -- Other fields are not about members.
      if key and try('EXISTS', key) == 0 then
        call('HDEL', STAMPS, name)
      end
    end
  end

  -- Sets the expiry of the stamps in milliseconds, and the name of the aggregate that determines it, if there is one.
  local function last(lasting, name)
    if lasting == math.huge then
      call('PERSIST', STAMPS)
    else
      call('PEXPIRE', STAMPS, string.format('%.0f', lasting))
    end
    if name then
      call('HSET', STAMPS, LONGEST, name)
    else
      call('HDEL', STAMPS, LONGEST)
    end
  end

  -- Shortens the expiry of the stamps, unless the aggregate that determines it still lives as long.
  local function shorten(lasting)
    local name = call('HGET', STAMPS, LONGEST)
    local key = name and not shorter[name] and keyOf(name)
    local left = key and call('PTTL', key) or -2
    if (left == -1 or left + 5 >= lasting) or call('HLEN', STAMPS) > MOST_LOOKED_AT then
      return
    end
    local most, longestName = 0, nil
    for _, other in ipairs(call('HKEYS', STAMPS)) do
      key = keyOf(other)
      left = key and call('PTTL', key)
      if key and (left == -2 or isEntry(key, call('TYPE', key).ok)) then
        call('HDEL', STAMPS, other)
      elseif left == -1 then
        return last(math.huge, other)
      elseif key and left >= most then
        most, longestName = left + 1, other
      end
    end
    if most < DAY and call('HEXISTS', STAMPS, 'lock') == 1 then
      most, longestName = DAY, nil
    end
    if most == 0 then
      call('HDEL', STAMPS, LONGEST)
    else
      last(most, longestName)
    end
  end

  -- Stores the stamps of the changed aggregates.
  local function settle()
    if needed == 0 and not next(changed) then
      return
    end
    local left = call('PTTL', STAMPS)
    for name, aggregate in pairs(changed) do
      if aggregate.state == 'nothing' then
        call('HDEL', STAMPS, name)
      elseif call('HSET', STAMPS, name, EPOCH .. STAMP) == 1 then
        tidy()
      end
    end
    local lasting = left == -1 and math.huge or left
    if longest and needed > lasting then
      last(needed, longest)
    elseif next(shorter) then
      -- If this fails, the stamps stay; the command succeeds.
      pcall(shorten, lasting)
    end
  end

  return look, live, change, delete, settle
end
