-- SPDX-License-Identifier: Apache-2.0
-- Stands before group.lua, which says what KEYS and ARGV are: the members of a group that are not simply strings.
--
-- An aggregate is a table with its name, its stamp, and its state: it 'lives', or there is 'nothing', or something 'stale'
-- or 'unknown' that counts as nothing, or something 'else' that does not, or something that may be a 'stranger'.
local STAMPS, ABSENT = KEYS[1], '\0\0\0\0\0\0\0\0'

-- Among the stamps, which expire with the aggregate that lives longest: its name. No member is named like that.
local LONGEST = 'longest'

-- The token of the last lock is kept among the stamps too, for a day at least.
local DAY = 24 * 3600000

-- Of more than these, nobody looks for the one that lives longest: their stamps stay, rather than keep a server busy.
local MOST_LOOKED_AT = 10000

-- Returns the functions about aggregates, for this epoch and stamp. A server makes each function of a script anew whenever
-- the script is called, so they are made only if there is an aggregate.
local function functionsOfAggregates(EPOCH, STAMP, isGuarded)
  -- The names and aggregates that were changed; for how many milliseconds their stamps are needed, and by which of them;
  -- and the names of those that live shorter than before, perhaps.
  local changed, needed, longest, shorter = {}, 0, nil, {}

  local function isEntry(key, found)
    return found == 'string' and call('GETRANGE', key, '0', '0') == '\1'
  end

  -- Returns the state and the stamp of what should be of this type, and what type it has.
  local function look(key, header, name, wanted)
    local found = call('TYPE', key).ok
    if found == 'none' then
      return 'nothing', ABSENT, found
    end
    -- An entry may have taken the place of an aggregate, whose stamp may still be there.
    local entry = isEntry(key, found) and stored(key, header) or 'stranger'
    if entry ~= 'stranger' then
      return entry == 'entry' and 'else' or 'stale', ABSENT, found
    end
    local field = call('HGET', STAMPS, name)
    if not field then
      -- One that has lost its stamp, or a stranger's: an instance that had none of these when it was adopted takes it for
      -- the first, but deletes it only to put another in its place.
      return isGuarded and 'stranger' or 'unknown', ABSENT, found
    elseif string.sub(field, 1, 4) ~= EPOCH then
      return 'stale', ABSENT, found
    elseif found ~= wanted then
      return 'else', ABSENT, found
    end
    return 'lives', string.sub(field, 5), found
  end

  -- Lets an aggregate expire after milliseconds, 'never', or 'unchanged', and its stamp not before.
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

  -- Notes that an aggregate was changed.
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

  -- Changes an aggregate by a command. How it is to be taken:
  --
  --   do       it changes the aggregate
  --   some     it does so unless it answers that there was nothing to change
  --   index    it does so if there is this index; the answer is 1 or 0
  --   attempt  it does so if it is possible
  --
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

  -- Removes an aggregate, or what is left of one; returns 1 if there was one, or 0.
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

  -- Returns the key of an aggregate; nothing if the name is that of a field which is about none.
  local function keyOf(name)
    local tag = string.match(STAMPS, '{.*}')
    local colon = string.find(name, ':', 1, true)
    return name == '' and string.sub(tag, 2, -2)
      or colon and string.sub(name, 1, colon) .. tag .. string.sub(name, colon + 1)
  end

  -- Takes away the stamps of some aggregates that have expired or were evicted, so that there are not more and more of
  -- them: each new stamp is a reason to look at two.
  local function tidy()
    for _, name in ipairs(call('HRANDFIELD', STAMPS, '2')) do
      local key = keyOf(name)
      -- Other fields are not about members.
      if key and try('EXISTS', key) == 0 then
        call('HDEL', STAMPS, name)
      end
    end
  end

  -- Lets the stamps expire after milliseconds, with the aggregate of this name, if it is one.
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

  -- Lets the stamps expire earlier, unless the aggregate because of which they live so long still does.
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

  -- Writes down the stamps of what was changed.
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
      -- Nobody is refused anything because of this: if it cannot be done, the stamps stay.
      pcall(shorten, lasting)
    end
  end

  return look, live, change, delete, settle
end
