-- SPDX-License-Identifier: Apache-2.0
-- Removes the value and answers it. A foreign value is answered, and stays.
-- KEYS[1]  the key
-- ARGV[1]  a header of this key
local found = read(KEYS[1])
if stored(KEYS[1], ARGV[1]) ~= 'stranger' then
  redis.call('UNLINK', KEYS[1])
  if removed then
    removed(1)
  end
end
return found
