-- SPDX-License-Identifier: Apache-2.0
-- Answers which command the user may not use of those that write the record of an instance, nothing if all, or if this server
-- cannot tell. It writes nothing.
--
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
