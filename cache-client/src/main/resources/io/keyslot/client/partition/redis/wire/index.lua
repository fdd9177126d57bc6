-- SPDX-License-Identifier: Apache-2.0
-- Follows stored.lua in scripts that use the index of a group.

-- An index with a longer expiry than any entry is held: the expiry of its entries is being changed, page by page.
local HELD = '63072000000000' -- 2,000 years, in milliseconds

local function isHeld(left)
  return left > HELD / 2
end

-- Adds names to an index, which then lives at least as long as their entries: so many milliseconds, or 'never'. A held
-- index is released, because it contains a name that will not expire with the others. Returns the number of added
-- names, and whether the index never expires although these entries do. Writes nothing if the user has no right, or the
-- key is not an index.
-- first, last  the positions of the names in ARGV
local function list(index, lasting, first, last)
  local left = redis.call('PTTL', index)
  local persists = left >= 0 and (lasting == 'never' or isHeld(left))
  local expires = lasting ~= 'never' and not persists and (left == -2 or (left >= 0 and left < lasting + 0))
  need('ZADD')
  need('PERSIST')
  if lasting ~= 'never' then
    need('PEXPIRE')
  end
  local scored, n = {}, 0
  for i = first, last do
    scored[n + 1], scored[n + 2] = '0', ARGV[i]
    n = n + 2
  end
  local added = redis.call('ZADD', index, unpack(scored))
  if persists then
    redis.call('PERSIST', index)
  elseif expires then
    redis.call('PEXPIRE', index, lasting)
  end
  return added, lasting ~= 'never' and left == -1
end
