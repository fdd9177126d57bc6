-- SPDX-License-Identifier: Apache-2.0
-- Removes what is stored and answers it; of a value in parts it answers the manifest, and moves the parts to where only
-- the caller looks for them.
--
-- KEYS[1]  the key
-- KEYS[2]  where the parts are to be
-- KEYS[3]  if it may be listed: the index
-- ARGV[1]  how long they are there: milliseconds
-- ARGV[2]  if it may be listed: its name
local _, inParts = head(KEYS[1])
local found = read(KEYS[1])
if inParts then
  need('RENAME')
  need('PEXPIRE')
  redis.call('RENAME', KEYS[1], KEYS[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[1])
else
  redis.call('UNLINK', KEYS[1])
end
if KEYS[3] then
  unlist(KEYS[3], ARGV[2])
end
return found
