-- SPDX-License-Identifier: Apache-2.0
-- The record of an instance, keyslot:meta.

-------- may_record
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

-------- set_incarnation
-- Replaces the field life of keyslot:meta if it is as expected; answers its value afterwards.
-- KEYS[1]  keyslot:meta
-- ARGV[1]  the expected value, empty for none
-- ARGV[2]  the new value
local present = redis.call('HGET', KEYS[1], 'life') or ''
if present ~= ARGV[1] then
  return present
end
-- A full server refuses a write that needs memory only as the first one of a script. This first write needs none, so
-- the next one succeeds on a full server, where it is needed most.
redis.call('HDEL', KEYS[1], '-')
redis.call('HSET', KEYS[1], 'format', '2', 'life', ARGV[2])
return ARGV[2]

-------- set_min_version
-- Raises the minimal version of the slot map for clients; answers the present one.
-- KEYS[1]  keyslot:meta
-- ARGV[1]  the field of the namespace
-- ARGV[2]  the version
local present = redis.call('HGET', KEYS[1], ARGV[1])
if present and present + 0 >= ARGV[2] + 0 then
  return present + 0
end
need('HDEL', true)
need('HSET', true)
redis.call('HDEL', KEYS[1], '-') -- a full server refuses nothing after a first write without memory
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return ARGV[2] + 0
