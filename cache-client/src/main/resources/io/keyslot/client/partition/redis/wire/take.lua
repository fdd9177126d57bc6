-- SPDX-License-Identifier: Apache-2.0
-- Removes what is stored and answers it; of a value in parts it answers the manifest, and moves the parts to where only
-- the caller looks for them. What is not ours is answered, and stays.
--
-- KEYS[1]  the key
-- KEYS[2]  where the parts are to be
-- ARGV[1]  how long they are there: milliseconds
-- ARGV[2]  a header of this key
local kind, _, _, inParts = stored(KEYS[1], ARGV[2])
local found = read(KEYS[1])
if kind == 'stranger' then
  return found
elseif inParts then
  if redis.call('PTTL', KEYS[2]) ~= -2 then
    return {err = 'TRYAGAIN there is something already where the parts are to be'}
  end
  need('RENAME')
  need('PEXPIRE')
  redis.call('RENAME', KEYS[1], KEYS[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[1])
else
  redis.call('UNLINK', KEYS[1])
end
if removed then
  removed(1)
end
return found
