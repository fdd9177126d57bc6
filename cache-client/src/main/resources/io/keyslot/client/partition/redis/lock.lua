-- SPDX-License-Identifier: Apache-2.0
-- The lock of a group: a lease with a fencing token.

-------- lock
-- Takes the free lock of a group; answers its token, or 0 if another holder has it. A present holder gets its token.
-- KEYS[1]  the lock: epoch and token, 12 bytes
-- KEYS[2]  the stamps of the group, with the token and holder of its last lock, 16 bytes, in the field lock
-- ARGV[1]  the epoch, 4 bytes
-- ARGV[2]  the holder, 8 bytes
-- ARGV[3]  the lease of the lock: milliseconds
local present = redis.call('GET', KEYS[1])
local last = redis.call('HGET', KEYS[2], 'lock') or ''
if present and string.sub(present, 1, 4) == ARGV[1] then
  if string.sub(present, 5) .. ARGV[2] ~= last then
    return 0
  end
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return struct.unpack('>I8', last)
end

local time = redis.call('TIME')
local token = time[1] * 1000000 + time[2]
if last ~= '' then
  token = math.max(token, struct.unpack('>I8', last) + 1)
end
local packed = struct.pack('>I8', token)

-- The last token matters only if the clock goes back; it is kept for a day, or as long as the stamps live.
local day = 24 * 3600000
local left = redis.call('PTTL', KEYS[2])
need('SET')
need('HSET')
need('PEXPIRE')
redis.call('SET', KEYS[1], ARGV[1] .. packed, 'PX', ARGV[3])
redis.call('HSET', KEYS[2], 'lock', packed .. ARGV[2])
if left == -2 or (left >= 0 and left < day) then
  redis.call('PEXPIRE', KEYS[2], day)
end
return token

-------- renew
-- Renews the lease of a group's lock if it has this token; answers 1 if it has, else 0.
-- KEYS[1]  the lock
-- ARGV[1]  epoch and token, 12 bytes
-- ARGV[2]  the lease of the lock: milliseconds
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1

-------- unlock
-- Releases the lock of a group if this holder has it; answers 1 if it had, else 0.
-- KEYS[1]  the lock
-- KEYS[2]  the stamps of the group, with the token and holder of its last lock, 16 bytes, in the field lock
-- ARGV[1]  the epoch, 4 bytes
-- ARGV[2]  the holder, 8 bytes
local present = redis.call('GET', KEYS[1])
local last = redis.call('HGET', KEYS[2], 'lock')
if not present or not last or present .. ARGV[2] ~= ARGV[1] .. last then
  return 0
end
redis.call('UNLINK', KEYS[1])
return 1
