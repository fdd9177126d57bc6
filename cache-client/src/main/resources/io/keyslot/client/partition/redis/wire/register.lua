-- SPDX-License-Identifier: Apache-2.0
-- Precedes the scripts of the register: reads the voter's state, and checks that it is of the present server run.
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
