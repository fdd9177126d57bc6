-- SPDX-License-Identifier: Apache-2.0
-- The index of a group: a sorted set of the names of its entries. Follows stored.lua. Names are hints: one that stays,
-- because of a missing right or a foreign value under the index's key, is not taken for an entry.

-------- put_indexed
-- The usual put of an indexed entry: there is no value, or an entry of this epoch that is not reserved, and the index
-- need not persist, nor expire earlier.
-- KEYS[1], ARGV  as for put.lua#put
-- KEYS[2]  the index
-- ARGV[4]  the name
local key, entry, index, name, asked = KEYS[1], ARGV[1], KEYS[2], ARGV[4], redis.acl_check_cmd
local found = redis.pcall('GETRANGE', key, '0', '29')
local kind, _, flags = kindOf(found, entry)
local isEntry = kind == 'entry' and flags < 8
if asked and (isEntry or (found == '' and redis.call('PTTL', key) == -2)) then
  local expiry = isEntry and ARGV[3] or ARGV[2]
  local left, lasting = redis.call('PTTL', index), expiry
  if expiry == 'unchanged' then
    lasting = redis.call('PTTL', key)
  end
  local isEternal = lasting == 'never' or lasting == -1
  local isLonger = not isEternal and left >= 0 and left < lasting + 0
  if (left == -1) == isEternal
    and left ~= -2
    and asked('ZADD', index, '0', name)
    and asked('SET', key, entry)
    and (not isLonger or asked('PEXPIRE', index, lasting))
    and type(redis.pcall('ZADD', index, '0', name)) == 'number'
  then
    if isLonger then
      redis.call('PEXPIRE', index, lasting)
    end
    set(redis.call, key, entry, expiry)
    return 1
  end
end

-------- list
-- Precedes the parts that add names.

-- Adds names to an index, which then lives at least as long as their entries: so many milliseconds, or 'never'. Returns
-- the number of added names, and whether the index never expires although these entries do. Writes nothing if the user
-- has no right, or the key is not an index.
-- first, last  the positions of the names in ARGV
local function list(index, lasting, first, last)
  local left = redis.call('PTTL', index)
  local persists = left >= 0 and lasting == 'never'
  local expires = lasting ~= 'never' and not persists and (left == -2 or (left >= 0 and left < lasting + 0))
  need('ZADD')
  if persists then
    need('PERSIST')
  elseif expires then
    need('PEXPIRE')
  end
  local scored, n = {}, 0
  for i = first, last do
    scored[n + 1], scored[n + 2] = '0', ARGV[i]
    n = n + 2
  end
  local added = redis.call('ZADD', index, unpack(scored))
  if persists then
    redis.call('PERSIST', index)
  elseif expires then
    redis.call('PEXPIRE', index, lasting)
  end
  return added, lasting ~= 'never' and left == -1
end

-------- let_expire
-- For scripts after which an index may have lost the entry because of which it never expires.

-- With more names than these, no unexpiring entry is searched for: the index stays, to spare the server.
local MOST_NAMES = 1000

-- Lets an index without expiry expire with its entries, if all of them expire; removes names without an entry. If this
-- fails, the index stays; the command succeeds.
local function let_expire(index)
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

-------- store
-- For scripts that store one entry: lists its name first, so that a foreign value under the index's key is found before
-- the first write.
-- KEYS, the last  the index
-- ARGV, the last  the name
local storeAlone = store
local function store(key, bytes, expiry)
  local index, lasting = KEYS[#KEYS], kept(key, expiry)
  need('SET')
  local _, isEternal = list(index, lasting, #ARGV, #ARGV)
  local answer = storeAlone(key, bytes, expiry)
  if isEternal then
    let_expire(index)
  end
  return answer
end

-------- remove
-- For scripts that remove entries; called for some keys whether or not there were entries.
-- KEYS, the last  the index
-- ARGV, the last  the name of each key
hasIndex = true
function removed(count)
  redis.pcall('ZREM', KEYS[#KEYS], unpack(ARGV, #ARGV - count + 1))
  let_expire(KEYS[#KEYS])
end

-------- refresh
-- For scripts that change the expiry of an entry.
-- KEYS, the last  the index
function expired()
  let_expire(KEYS[#KEYS])
end

-------- forget
-- Removes the names without an entry from an index; answers their number.
-- KEYS[1]  the index
-- KEYS[2]  and further: the keys of the names
-- ARGV[1]  and further: for each key its name, and a header of this key and epoch
local absent = {}
for i = 2, #KEYS do
  if stored(KEYS[i], ARGV[2 * i - 2]) ~= 'entry' then
    absent[#absent + 1] = ARGV[2 * i - 3]
  end
end
return absent[1] and redis.call('ZREM', KEYS[1], unpack(absent)) or 0
