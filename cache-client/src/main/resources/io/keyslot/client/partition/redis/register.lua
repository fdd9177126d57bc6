-- SPDX-License-Identifier: Apache-2.0
-- A voter of the register.

-------- state
-- Precedes all parts but copy: reads the voter's state, and checks that it is of the present server run.
-- KEYS[1]  the hash: gen, life, reign, promise, ballot, value; copy.gen, copy.seq, copy.version, copy.value
-- ARGV[1]  the server run of the handshake, for servers that do not reveal theirs to scripts
local function told(section, name)
  local answer = redis.pcall('INFO', section)
  return type(answer) == 'string' and string.match(answer, name .. ':(%x+)') or ''
end

-- Another run or promotion of the server makes the state possibly outdated.
local run = told('server', 'run_id')
local replication = told('replication', 'master_replid')
local reign = ARGV[1]
if run ~= '' or replication ~= '' then
  reign = (run ~= '' and run or replication) .. ':' .. replication
end

local remembered = redis.call('HMGET', KEYS[1], 'gen', 'life', 'reign', 'promise', 'ballot')
local generation = remembered[1] or ''
local life = remembered[2] or ''
local promise = remembered[4] or ''
local ballot = remembered[5] or ''
local isAlive = life ~= '' and remembered[3] == reign

-------- begin
-- Begins a new incarnation of the voter, without a vote, if its state is as expected.
-- ARGV[2]  the generation
-- ARGV[3]  a unique text; combined with the server's time, so that a repetition begins another incarnation
-- ARGV[4]  'lost' if there must be no incarnation, else incarnation, slash and ballot
if ARGV[4] == 'lost' then
  if isAlive then
    return {'LIVES', life}
  end
elseif ARGV[4] ~= life .. '/' .. ballot then
  return {'CHANGED', life, ballot}
end

need('HSET')
need('HDEL')
local time = redis.call('TIME')
local begun = ARGV[3] .. '-' .. time[1] .. '.' .. time[2]
redis.call('HDEL', KEYS[1], 'ballot', 'value')
redis.call('HSET', KEYS[1], 'gen', ARGV[2], 'life', begun, 'reign', reign, 'promise', '')
return {'BEGUN', begun}

-------- prepare
-- Promises to accept no value with a lower or equal ballot; answers the last accepted value.
-- ARGV[2]  the generation
-- ARGV[3]  the ballot
if not isAlive then
  return {'LOST'}
end
if generation ~= ARGV[2] then
  return {'GENERATION', generation}
end
if ARGV[3] <= promise then
  return {'BEHIND', promise}
end

need('HSET')
need('HDEL')
-- A full server refuses only the first write of a script, and only if it needs memory; this one does not.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'promise', ARGV[3])
return {'PROMISED', life, ballot, redis.call('HGET', KEYS[1], 'value') or ''}

-------- accept
-- Accepts a value, unless a higher ballot was promised, or this incarnation of the voter has no vote on it.
-- ARGV[2]  the generation
-- ARGV[3]  the ballot
-- ARGV[4]  the value
-- ARGV[5]  the incarnation that votes on this value, empty for none
-- ARGV[6]  the incarnation that voted on the previous one, empty for none
if not isAlive then
  return {'LOST'}
end
if generation ~= ARGV[2] then
  return {'GENERATION', generation}
end
if life ~= ARGV[5] and life ~= ARGV[6] then
  return {'NOVOTE', life}
end
if ARGV[3] < promise then
  return {'BEHIND', promise}
end

need('HSET')
need('HDEL')
-- See prepare.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'promise', ARGV[3], 'ballot', ARGV[3], 'value', ARGV[4])
return {'ACCEPTED', life}

-------- copy
-- Stores a decided value, unless there is one that is as new. A decision is final, so no incarnation is checked.
-- KEYS[1]  the hash
-- ARGV[1]  the generation: a number, a dash and a random text
-- ARGV[2]  the sequence
-- ARGV[3]  the version
-- ARGV[4]  the value
local present = redis.call('HMGET', KEYS[1], 'copy.gen', 'copy.seq')
if present[1] then
  local known = tonumber(string.match(present[1], '^%d+'))
  local offered = tonumber(string.match(ARGV[1], '^%d+'))
  if known == offered and present[1] ~= ARGV[1] then
    return {'RIVAL', present[1]}
  end
  if known > offered or (known == offered and tonumber(present[2]) >= tonumber(ARGV[2])) then
    return {'COPIED'}
  end
end

need('HSET')
need('HDEL')
-- See prepare.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'copy.gen', ARGV[1], 'copy.seq', ARGV[2], 'copy.version', ARGV[3], 'copy.value', ARGV[4])
return {'COPIED'}

-------- read
-- Answers the whole state. Changes nothing.
local copy = redis.call('HMGET', KEYS[1], 'copy.gen', 'copy.value', 'value')
return {
  'VIEWED',
  isAlive and '1' or '0',
  life,
  generation,
  promise,
  ballot,
  copy[3] or '',
  copy[1] or '',
  copy[2] or '',
}
