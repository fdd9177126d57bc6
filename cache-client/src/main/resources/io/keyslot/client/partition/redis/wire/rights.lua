-- SPDX-License-Identifier: Apache-2.0
-- Stands before every script but those that only read: nothing is written before all that may be refused was asked for.
--
-- A full server, one that misses its replicas, a replica: they refuse the first write of a script, and no other one behind
-- it. What is left are the rights of the user, and keys with something of another type; each script looks at these first.
local asked = redis.acl_check_cmd

-- Ends the script. A text, as Redis 6.2 takes nothing else; the client looks for it.
local function forbid(command)
  error('NOPERM the user may not use ' .. command)
end

-- Returns whether an error says that the user has not the right.
local function isForbidden(err)
  return string.find(err, 'The user executing', 1, true) or string.find(err, 'ACL failure', 1, true)
end

-- Those that write something whatever they are given.
local CREATING = ' MSET HSETNX LPUSH RPUSH SADD '

-- Tries a command that needs to be allowed, where the server cannot be asked (Redis 6.2): with a key under which there is
-- nothing as each of its arguments. Mostly that is an error, or reads nothing; what it writes is removed at once.
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
  -- A full server refuses nothing behind the first write, not even one that removes nothing.
  try('SET')
  try('UNLINK')
  try(command)
  redis.call('UNLINK', never)
end

-- More arguments than these no command needs that a script asks for.
local MOST_ARGUMENTS = 6

-- Returns whether the user may use a command with the key. Redis 8 answers only if there are as many arguments as the command takes.
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

-- Ends the script if the user may not use a command. One that takes memory comes first.
--
-- isReserved  whether it is known that the server is not full, or does not matter
local function need(command, isReserved)
  if not asked then
    rehearse(command, isReserved)
  elseif not isAllowed(command) then
    forbid(command)
  end
end
