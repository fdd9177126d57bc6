-- SPDX-License-Identifier: Apache-2.0
-- Precedes the scripts that move slots. Returns whether all slots are fenced as required, and no coordinator of the move
-- with a higher number has set a fence here.
-- KEYS[1]      the fences
-- beginning    the required beginning of the fences: state, move, and spaces
-- coordinator  the number of the coordinator
-- first, last  the positions of the slots in ARGV
local function isGuarded(beginning, coordinator, first, last)
  local field = 'coordinator' .. string.sub(beginning, 2, -2)
  local fences = redis.call('HMGET', KEYS[1], field, unpack(ARGV, first, last))
  if not fences[1] or fences[1] + 0 > coordinator + 0 then
    return false
  end
  for i = 2, last - first + 2 do
    local fence = fences[i]
    if not fence or string.sub(fence, 1, #beginning) ~= beginning then
      return false
    end
  end
  return true
end
