-- SPDX-License-Identifier: Apache-2.0
-- Executes one command, after fence.lua.
-- KEYS  the keys of the command
-- ARGV  the command with its arguments
local answer = redis.pcall(unpack(ARGV))
local err = type(answer) == 'table' and answer.err
if err and (string.find(err, 'The user executing', 1, true) or string.find(err, 'ACL failure', 1, true)) then
  return {err = 'NOPERM the user may not use ' .. ARGV[1]}
end
return answer
