-- SPDX-License-Identifier: Apache-2.0
-- Precedes every script that writes: all that may be refused is checked before the first write.
-- A full server, one without enough replicas, or a replica refuses only the first write of a script. What remains are
-- missing rights, and keys of another type; each script checks these first.
local asked = redis.acl_check_cmd

-- Ends the script. The error is a text, because Redis 6.2 accepts nothing else; the client looks for it.
local function forbid(command)
  error('NOPERM the user may not use ' .. command)
end

-- Returns whether an error reports a missing right.
local function isForbidden(err)
  return string.find(err, 'The user executing', 1, true) or string.find(err, 'ACL failure', 1, true)
end

-- The commands that write something with any arguments.
local CREATING = ' MSET HSETNX LPUSH RPUSH SADD '

-- Tries a command whose right cannot be queried (Redis 6.2), with a missing key as each argument. Usually that is an
-- error, or reads nothing; anything written is removed at once.
local function rehearse(command, isReserved)
  local never = KEYS[1] .. ':none'
  while redis.call('PTTL', never) ~= -2 do
    never = never .. '!'
  end
  local function try(name)
    for count = 4, 1, -1 do
      local answer = redis.pcall(name, unpack({never, never, never, never}, 1, count))
      local err = type(answer) == 'table' and answer.err
      if not err then
        return
      elseif isForbidden(err) then
        forbid(name)
      elseif string.find(err, 'OOM', 1, true) and not isReserved then
        error(err)
      elseif not string.find(err, 'of args calling', 1, true) then
        return
      end
    end
  end
  if not string.find(CREATING, ' ' .. command .. ' ', 1, true) then
    return try(command)
  end
  -- A full server refuses nothing after the first write, even one that removes nothing.
  try('SET')
  try('UNLINK')
  try(command)
  redis.call('UNLINK', never)
end

-- No checked command needs more arguments.
local MOST_ARGUMENTS = 6

-- Returns whether the user may use a command with the key. Redis 8 answers only if the number of arguments is valid.
local function isAllowed(command)
  local key = KEYS[1]
  local isAnswered, answer = pcall(asked, command, key)
  for count = 2, MOST_ARGUMENTS do
    if isAnswered then
      return answer
    end
    isAnswered, answer = pcall(asked, command, unpack({key, key, key, key, key, key}, 1, count))
  end
  if isAnswered then
    return answer
  end
  error(answer)
end

-- Ends the script if the user may not use a command. Commands that need memory must be checked first.
-- isReserved  whether the server is known not to be full, or that does not matter
local function need(command, isReserved)
  if not asked then
    rehearse(command, isReserved)
  elseif not isAllowed(command) then
    forbid(command)
  end
end
