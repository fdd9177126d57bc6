-- SPDX-License-Identifier: Apache-2.0
-- Answers a command of those that write the record of an instance that the user may not use; empty if there is none, or
-- the server cannot tell. Writes nothing.
-- KEYS[1]  keyslot:meta
local asked = redis.acl_check_cmd
if asked then
  for _, command in ipairs({'HSETNX', 'HSET', 'HDEL'}) do
    if not asked(command, KEYS[1]) then
      return command
    end
  end
end
return ''
