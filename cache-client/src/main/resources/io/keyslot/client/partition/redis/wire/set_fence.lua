-- SPDX-License-Identifier: Apache-2.0
-- Sets the fences of slots, all or none; answers 1 if they are as was asked for, else 0. FenceKeys says what a fence looks like.
--
-- KEYS[1]           the fences
-- KEYS[2]  ...      what was written, of each slot
-- ARGV[1]           the number of who asks
-- ARGV[2]           the move
-- ARGV[3]           the letters of the states in which each slot may be, '-' for none
-- ARGV[4]           the letter of the state that is asked for, or '-'
-- ARGV[5]           a version of the slot map
-- ARGV[6]  ...      for each slot itself and the number of its ownership
local call = redis.call
local asker, move, from, to = ARGV[1] + 0, ARGV[2], ARGV[3], ARGV[4]
if asker < (call('HGET', KEYS[1], 'coordinator') or '0') + 0 then
  return 0
end

local set = {}
for i = 6, #ARGV, 2 do
  local fence = call('HGET', KEYS[1], ARGV[i])
  local state, by = '-', move
  if fence then
    state, by = string.match(fence, '^(%a) (%S+) ')
  end
  local wanted = to == '-' or table.concat({to, move, ARGV[i + 1], ARGV[5]}, ' ')
  if by ~= move then
    return 0
  elseif string.find(from, state, 1, true) then
    set[#set + 1] = {slot = ARGV[i], dirty = KEYS[(i - 2) / 2], before = state, wanted = wanted}
  elseif (fence or true) ~= wanted then
    return 0
  end
end

need('HDEL', true)
need('HSET', true)
need('UNLINK', true)
need('SADD', true)
call('HDEL', KEYS[1], '-') -- a full server refuses nothing behind a first write that needs no memory
call('HSET', KEYS[1], 'coordinator', ARGV[1])
for _, slot in ipairs(set) do
  if to == '-' then
    call('HDEL', KEYS[1], slot.slot)
  else
    call('HSET', KEYS[1], slot.slot, slot.wanted)
  end
  local wasNoting = string.find('FC', slot.before, 1, true)
  if to == 'M' and not wasNoting then
    call('UNLINK', slot.dirty)
    call('SADD', slot.dirty, '')
  elseif not string.find('MFC', to, 1, true) then
    call('UNLINK', slot.dirty)
  end
end
return 1
