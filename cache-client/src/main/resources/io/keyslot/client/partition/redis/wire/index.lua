-- SPDX-License-Identifier: Apache-2.0
-- Stands behind stored.lua where the index of a group is used.

-- An index that does not expire for longer than any entry lives is held: its entries are being let expire, page by page.
local HELD = '63072000000000' -- 2,000 years, in milliseconds

local function isHeld(left)
  return left > HELD / 2
end

-- Lists names in an index, which lives at least as long as what they name: so many milliseconds, or 'never'. One that is
-- held is not held any more: it names what will not expire with the others. Returns how many were not listed, and
-- whether the index never expires and need not for these. If the user may not, or there is no index but something else,
-- nothing was written.
--
-- first, last  where the names stand in ARGV
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
