-- SPDX-License-Identifier: Apache-2.0
-- The change feeds of caches: streams with the fields c, the letter of the kind and the key, and v, the stored bytes or
-- only the stamp. Streams have the epoch in their keys, so that a new epoch begins with new ones. A group of a feed is a
-- consumer group, which is lost with the stream. Until its first checkpoint it has a consumer named gap, so that the gap at
-- its beginning is not lost with the process that was about to deliver it. Its members and its lease are a hash.

-------- put
-- The usual put, without functions, because a server creates those of a script at each call. Answers 1; or 2 and changes
-- nothing if the present value has an expiry that may have to be kept, or rights cannot be queried (Redis 6.2).
-- KEYS[1]  the key
-- ARGV[1]  the entry, header and payload
-- ARGV[2]  the expiry of a new entry: milliseconds or 'never'
-- ARGV[3]  the expiry of a replaced entry: the same, or 'unchanged' after 'never'
-- ARGV[4]  and further: the stream, as in append
local call, asked, key, entry, expiry = redis.call, redis.acl_check_cmd, KEYS[1], ARGV[1], ARGV[2]
if not asked or (expiry ~= ARGV[3] and call('PTTL', key) >= 0) then
  return 2
elseif not asked('SET', key, '') then
  error('NOPERM the user may not use SET')
end
local value = ARGV[7] == '1' and entry or string.sub(entry, 15, 22)
local id = call('XADD', ARGV[4], 'MAXLEN', '~', ARGV[5], '*', 'c', 'p' .. key, 'v', value)
if string.byte(id, 13) == 48 then -- now and then: in every tenth millisecond
  redis.pcall('PEXPIRE', ARGV[4], ARGV[6])
end
if expiry == 'never' then
  call('SET', key, entry)
else
  call('SET', key, entry, 'PX', expiry)
end
return 1

-------- append
-- Follows stored.lua in scripts that change entries, and removes its own ARGV. The stream is no element of KEYS, because
-- it does not belong to the slots of the other keys, and is not moved with them.
-- ARGV, the last  the stream; the most changes; the milliseconds for which a new stream is kept until somebody reads it;
--                 1 if changes contain the stored bytes, or 0
local FEED, MOST_CHANGES, KEEP, HAS_VALUES = unpack(ARGV, #ARGV - 3)
for _ = 1, 4 do
  ARGV[#ARGV] = nil
end

-- All that may be refused is checked before the first write.
if not asked then
  need('XADD', true)
elseif not asked('XADD', FEED, '*', 'c', '') then
  forbid('XADD')
end
local isNewFeed = redis.call('XLEN', FEED) == 0

local function append(kind, key, value)
  redis.call('XADD', FEED, 'MAXLEN', '~', MOST_CHANGES, '*', 'c', kind .. key, 'v', value)
  if isNewFeed then
    redis.pcall('PEXPIRE', FEED, KEEP)
    isNewFeed = false
  end
end

-------- store
-- Appends first, as a full server refuses the first write. A negative replaces the entry.
local storeUnfed = store
local function store(key, bytes, expiry)
  need('SET')
  local isNegative = string.byte(bytes, 2) == 4
  local hasValue = HAS_VALUES == '1' and not isNegative
  append(isNegative and 'r' or 'p', key, hasValue and bytes or string.sub(bytes, 15, 22))
  return storeUnfed(key, bytes, expiry)
end

-------- remove
-- The entries about to be removed are noted, and appended afterwards: a full server executes that, as the first write
-- freed memory.
local gone, removedBefore = {}, removed

function removing(key, header)
  local found, stamp = stored(key, header)
  if found == 'entry' then
    gone[#gone + 1], gone[#gone + 2] = key, stamp
  end
end

function removed(count)
  if removedBefore then
    removedBefore(count)
  end
  for i = 1, #gone, 2 do
    append('r', gone[i], gone[i + 1])
  end
end

-------- group
-- For group.lua: appends changes before all others; returns the position after the arguments in ARGV.
-- ARGV, from a on  the stream; the most changes; the milliseconds for which a new stream is kept; 1 if changes contain the
--                  stored bytes, or 0; the number of changes; for each the letter of its kind, the key or its position in
--                  KEYS, and the stamp or the position of the stored bytes in ARGV
local function feed(a)
  local stream, most, keep, hasValues = unpack(ARGV, a, a + 3)
  local isNew = call('XLEN', stream) == 0
  local last = a + 4 + 3 * ARGV[a + 4]
  for i = a + 5, last, 3 do
    local kind, key, value = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    if kind ~= 'g' then
      key = KEYS[key + 0]
    end
    if kind == 'p' then
      local bytes = ARGV[value + 0]
      value = hasValues == '1' and bytes or string.sub(bytes, 15, 22)
    end
    call('XADD', stream, 'MAXLEN', '~', most, '*', 'c', kind .. key, 'v', value)
  end
  if isNew then
    try('PEXPIRE', stream, keep)
  end
  return last + 1
end

-------- clock
-- Precedes attend and read.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

-------- attend
-- Registers a member of a group, and renews, acquires or releases its lease; answers its token, 0 without a lease, and
-- whether it is its turn.
-- KEYS[1]  the members and the lease of the group: a hash with m:<member> -> the end of the membership, holder, until,
--          token
-- KEYS[2]  the names of the feeds that are read: a set
-- KEYS[3]  the stream
-- ARGV[1]  the member
-- ARGV[2]  its turn
-- ARGV[3]  the milliseconds of a lease
-- ARGV[4]  stay, yield or leave
-- ARGV[5]  the name of the feed
-- ARGV[6]  the milliseconds for which names are kept
-- ARGV[7]  the milliseconds for which the stream is kept
local call = redis.call
local member, intent = ARGV[1], ARGV[4]
local ends = string.format('%.0f', now + ARGV[3])
local live, over = {}, {}
local fields = call('HGETALL', KEYS[1])
local lease = {}
for i = 1, #fields, 2 do
  local other = string.match(fields[i], '^m:(.*)$')
  if not other then
    lease[fields[i]] = fields[i + 1]
  elseif fields[i + 1] + 0 < now then
    over[#over + 1] = fields[i]
  elseif other ~= member then
    live[#live + 1] = other
  end
end
if intent ~= 'leave' then
  live[#live + 1] = member
end
table.sort(live)
local isTurn = live[1] and live[ARGV[2] % #live + 1] == member

for _, command in ipairs({'HSET', 'HDEL', 'PEXPIRE', 'SADD'}) do
  need(command)
end
local isHolder = lease.holder == member
if isHolder and (intent == 'leave' or (intent == 'yield' and not isTurn)) then
  over[#over + 1], over[#over + 2] = 'holder', 'until'
  isHolder = false
  call('HSET', KEYS[1], 'token', string.format('%.0f', lease.token + 1)) -- so that no late read is answered
elseif isHolder then
  call('HSET', KEYS[1], 'until', ends)
elseif isTurn and not (lease.holder and lease['until'] + 0 >= now) then
  lease.token = math.max(clock[1] * 1000000 + clock[2], (lease.token or 0) + 1)
  call('HSET', KEYS[1], 'holder', member, 'until', ends, 'token', string.format('%.0f', lease.token))
  isHolder = true
end
if intent == 'leave' then
  over[#over + 1] = 'm:' .. member
else
  call('HSET', KEYS[1], 'm:' .. member, ends)
end
if over[1] then
  call('HDEL', KEYS[1], unpack(over))
end
call('PEXPIRE', KEYS[1], ARGV[6])
call('SADD', KEYS[2], ARGV[5])
call('PEXPIRE', KEYS[2], ARGV[6])
call('PEXPIRE', KEYS[3], ARGV[7])
return {isHolder and lease.token + 0 or 0, isTurn and 1 or 0}

-------- state
-- Precedes the parts that look at streams.

-- Returns a reply of alternating names and values as a table.
local function named(list)
  local found = {}
  for i = 1, #list, 2 do
    found[list[i]] = list[i + 1]
  end
  return found
end

-- Returns a group of an existing stream, or nothing.
local function groupOf(stream, name)
  for _, each in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
    local group = named(each)
    if group.name == name then
      return group
    end
  end
end

-------- read
-- Answers a page; see FeedCommand.Page: 0 if the lease has another token; or 1, 1 for a gap or 0, the position before the
-- page, the number of changes before it, the position after all changes, their number, and for each change its position
-- and its fields c and v.
-- KEYS[1]  the stream
-- KEYS[2]  the members and the lease of the group
-- ARGV[1]  the group
-- ARGV[2]  the token
-- ARGV[3]  the milliseconds for which changes are kept
-- ARGV[4]  the most changes
-- ARGV[5]  the bytes after which the page ends
-- ARGV[6]  latest, if a new group begins after the latest change, or earliest
-- ARGV[7]  the position after which to read, empty for that of the group
-- ARGV[8]  the number of changes up to there
local call, stream, name = redis.call, KEYS[1], ARGV[1]
if call('HGET', KEYS[2], 'token') ~= ARGV[2] then
  return {0}
end
local isNew = call('EXISTS', stream) == 0
if isNew then
  call('XGROUP', 'CREATE', stream, name, '0-0', 'MKSTREAM', 'ENTRIESREAD', '0')
  call('XGROUP', 'CREATECONSUMER', stream, name, 'gap')
else
  call('XTRIM', stream, 'MINID', '~', string.format('%.0f', math.max(0, now - ARGV[3])))
end
call('PEXPIRE', stream, ARGV[3])
local info = named(call('XINFO', 'STREAM', stream))
local size, last = info['entries-added'], info['last-generated-id']
local removed = size - info.length
local group = not isNew and groupOf(stream, name)
local after, count, isGap = ARGV[7], ARGV[8], false
if not group then
  isGap, after, count = true, '0-0', removed
  if ARGV[6] == 'latest' then
    after, count = last, size
  end
  if not isNew then
    call('XGROUP', 'CREATE', stream, name, after, 'ENTRIESREAD', string.format('%.0f', count))
    call('XGROUP', 'CREATECONSUMER', stream, name, 'gap')
  end
elseif after == '' then
  after, count = group['last-delivered-id'], group['entries-read'] or 0
  isGap = group.consumers > 0
end

-------- follow
-- Like read, for a reader of no group. It begins after the latest change. Its position is a change that the stream has, or
-- the one before the first that it has; otherwise the stream is not the same any more. As a position may also be the end of
-- an empty stream, one that is made here counts its changes from a number that no stream of this name has reached.
-- KEYS[1]  the stream
-- KEYS[2]  the names of the feeds that are read
-- ARGV[1]  the name of the feed
-- ARGV[2]  the milliseconds for which names are kept
-- ARGV[3]  and further, as for read; ARGV[7] is empty at the beginning
local call, stream = redis.call, KEYS[1]
if call('SADD', KEYS[2], ARGV[1]) == 1 or call('PTTL', KEYS[2]) < ARGV[2] / 2 then
  call('PEXPIRE', KEYS[2], ARGV[2])
end
if call('EXISTS', stream) == 0 then
  if not redis.acl_check_cmd('XSETID', stream, '0-1') then
    error('NOPERM the user may not use XSETID')
  end
  local first = call('XADD', stream, 'MAXLEN', '0', '*', 'c', '')
  call('XSETID', stream, first, 'ENTRIESADDED', string.format('%.0f', clock[1] * 1000000 + clock[2]))
end
call('XTRIM', stream, 'MINID', '~', string.format('%.0f', math.max(0, now - ARGV[3])))
call('PEXPIRE', stream, ARGV[3])
local info = named(call('XINFO', 'STREAM', stream))
local size, last = info['entries-added'], info['last-generated-id']
local removed = size - info.length
local after, count, isGap = ARGV[7], ARGV[8] + 0, false
if after == '' then
  after, count = last, size
elseif after ~= last and removed ~= count and not call('XRANGE', stream, after, after)[1] then
  after, count, isGap = '0-0', removed, true
end

-------- page
-- Follows read and follow; answers the page after a position.
count = count + 0
if removed > count then
  isGap, count = true, removed
end

local answers, bytes, found = {1, isGap and 1 or 0, after, count, last, size}, 0, 0
local most, limit = ARGV[4] + 0, ARGV[5] + 0
while found < most and bytes < limit do
  -- As many as fit, if they have the average size so far; one at first.
  local wanted = found == 0 and 1 or math.min(100, most - found, math.max(1, math.floor((limit - bytes) * found / bytes)))
  local some = call('XRANGE', stream, '(' .. after, '+', 'COUNT', string.format('%d', wanted))
  for _, change in ipairs(some) do
    local fields = change[2]
    after = change[1]
    bytes = bytes + #fields[2] + #fields[4] + 50
    found = found + 1
    local n = #answers
    answers[n + 1], answers[n + 2], answers[n + 3] = after, fields[2], fields[4]
  end
  if #some < wanted then
    break
  end
end
return answers

-------- checkpoint
-- Sets the position of a group; answers 1, or 0 if the lease has another token or the group no position.
-- KEYS[1]  the stream
-- KEYS[2]  the members and the lease of the group
-- ARGV[1]  the group
-- ARGV[2]  the token
-- ARGV[3]  the position
-- ARGV[4]  the number of changes up to there
if redis.call('HGET', KEYS[2], 'token') ~= ARGV[2]
  or redis.call('EXISTS', KEYS[1]) == 0
  or not groupOf(KEYS[1], ARGV[1]) then
  return 0
end
redis.call('XGROUP', 'SETID', KEYS[1], ARGV[1], ARGV[3], 'ENTRIESREAD', ARGV[4])
redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], 'gap')
return 1

-------- has_passed
-- Answers 1 if the position of a group is at or after another one, 0 if it is not, 2 if the group has none.
-- KEYS[1]  the stream
-- ARGV[1]  the group
-- ARGV[2]  the position
local group = redis.call('EXISTS', KEYS[1]) == 1 and groupOf(KEYS[1], ARGV[1])
if not group then
  return 2
end
local function split(id)
  local time, number = string.match(id, '(%d+)-(%d+)')
  return time + 0, number + 0
end
local time, number = split(group['last-delivered-id'])
local wantedTime, wantedNumber = split(ARGV[2])
return (time > wantedTime or (time == wantedTime and number >= wantedNumber)) and 1 or 0

-------- ends
-- Answers the name and the last position of each stream that is read.
-- KEYS[1]  the names of the feeds that are read
-- ARGV[1]  the beginning of the keys of streams
-- ARGV[2]  their end
local answers = {}
for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local stream = ARGV[1] .. name .. ARGV[2]
  local info = redis.call('EXISTS', stream) == 1 and named(redis.call('XINFO', 'STREAM', stream))
  if info then
    answers[#answers + 1], answers[#answers + 2] = name, info['last-generated-id']
  end
end
return answers

-------- arrive
-- Appends the arrival of slots to streams; answers 1.
-- ARGV[1]  the milliseconds for which a stream is kept that has no other time
-- ARGV[2]  the field c
-- ARGV[3]  and further: for each stream its key and the field v
for i = 3, #ARGV, 2 do
  redis.call('XADD', ARGV[i], '*', 'c', ARGV[2], 'v', ARGV[i + 1])
  if redis.call('PTTL', ARGV[i]) == -1 then
    redis.call('PEXPIRE', ARGV[i], ARGV[1])
  end
end
return 1

-------- describe
-- Answers for each stream that is read a list: its name, its length, and for each group its name, the number of changes
-- after its position or -1, and the holder of its lease or an empty text.
-- KEYS[1]  the names of the feeds that are read
-- ARGV[1]  the beginning of the keys of streams
-- ARGV[2]  their end
-- ARGV[3]  the beginning of the keys of the members and leases
local answers = {}
for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local stream = ARGV[1] .. name .. ARGV[2]
  if redis.call('EXISTS', stream) == 1 then
    local answer = {name, redis.call('XLEN', stream)}
    for _, each in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
      local group = named(each)
      local lease = redis.call('HMGET', ARGV[3] .. name .. ARGV[2] .. ':' .. group.name, 'holder', 'until')
      local isHeld = lease[1] and lease[2] and lease[2] + 0 >= now
      answer[#answer + 1] = group.name
      answer[#answer + 1] = group.lag or -1
      answer[#answer + 1] = isHeld and lease[1] or ''
    end
    answers[#answers + 1] = answer
  end
end
return answers

-------- erase
-- Removes the streams of former epochs, then the puts of a key, and of the keys with it in their hash tag; answers the number
-- of these puts, and the next position, empty at the end.
-- KEYS[1]  the stream
-- ARGV[1]  scan and a cursor, or the position in the stream after which to look
-- ARGV[2]  the key
-- ARGV[3]  the most changes to look at
local cursor = string.match(ARGV[1], '^scan (%d+)$')
if cursor then
  local pattern = string.gsub(string.sub(KEYS[1], 1, -9), '[%*%?%[%]\\]', '\\%0') .. '????????'
  local page = redis.call('SCAN', cursor, 'MATCH', pattern, 'COUNT', '1000')
  for _, stream in ipairs(page[2]) do
    if stream ~= KEYS[1] then
      redis.call('UNLINK', stream)
    end
  end
  return {0, page[1] == '0' and '0-0' or 'scan ' .. page[1]}
end
local ids = {}
local some = redis.call('XRANGE', KEYS[1], '(' .. ARGV[1], '+', 'COUNT', ARGV[3])
for _, change in ipairs(some) do
  local name = change[2][2]
  if name == 'p' .. ARGV[2] or (string.byte(name) == 112 and string.find(name, '{' .. ARGV[2] .. '}', 1, true)) then
    ids[#ids + 1] = change[1]
  end
end
if ids[1] then
  redis.call('XDEL', KEYS[1], unpack(ids))
end
return {#ids, some[ARGV[3] + 0] and some[#some][1] or ''}
