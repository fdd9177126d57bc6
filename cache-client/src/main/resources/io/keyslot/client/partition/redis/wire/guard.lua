-- SPDX-License-Identifier: Apache-2.0
-- Stands before the scripts that move slots. Returns whether all slots are fenced as they must be, and nobody with a higher
-- number than the coordinator that asks has set a fence here.
--
-- KEYS[1]         the fences
-- state and move  how the fences begin
-- coordinator     the number of who asks
-- first, last     where the slots stand in ARGV
local function isGuarded(beginning, coordinator, first, last)
  local highest = redis.call('HGET', KEYS[1], 'coordinator')
  if not highest or highest + 0 > coordinator + 0 then
    return false
  end
  for i = first, last do
    local fence = redis.call('HGET', KEYS[1], ARGV[i])
    if not fence or string.sub(fence, 1, #beginning) ~= beginning then
      return false
    end
  end
  return true
end
