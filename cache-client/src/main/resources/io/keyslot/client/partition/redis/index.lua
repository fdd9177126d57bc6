-- SPDX-License-Identifier: Apache-2.0
-- Stands behind stored.lua where the index of a group is used.

-- Lists names in an index, which lives at least as long as what they name: so many milliseconds, or 'never'.
--
-- first, last  where the names stand in ARGV
local function list(index, lasting, first, last)
  local left = redis.call('PTTL', index)
  local scored, n = {}, 0
  for i = first, last do
    scored[n + 1], scored[n + 2] = '0', ARGV[i]
    n = n + 2
  end
  redis.call('ZADD', index, unpack(scored))
  if lasting == 'never' then
    if left >= 0 then
      redis.call('PERSIST', index)
    end
  elseif left == -2 or (left >= 0 and left < lasting + 0) then
    redis.call('PEXPIRE', index, lasting)
  end
end
