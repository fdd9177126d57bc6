-- SPDX-License-Identifier: Apache-2.0
-- Answers the written keys of some slots: for each slot with a result its position and the keys, or false if the slot
-- is not fenced as required, or the written keys were lost.
-- KEYS[1]  the fences
-- KEYS[2]  and further: the written keys of each slot
-- ARGV[1]  the required beginning of the fences
-- ARGV[2]  the number of the coordinator
-- ARGV[3]  the maximal number of keys per slot
-- ARGV[4]  and further: the slots
local areAllGuarded = isGuarded(ARGV[1], ARGV[2], 4, #ARGV)
local answers = {}
for i = 2, #KEYS do
  local isThisGuarded = areAllGuarded or isGuarded(ARGV[1], ARGV[2], i + 2, i + 2)
  if not isThisGuarded or redis.call('SISMEMBER', KEYS[i], '') == 0 then
    answers[#answers + 1] = {i - 1, 0}
  elseif redis.call('SCARD', KEYS[i]) > 1 then
    local answer = {i - 1, 1}
    for _, key in ipairs(redis.call('SRANDMEMBER', KEYS[i], ARGV[3] + 1)) do
      if key ~= '' and #answer < ARGV[3] + 2 then
        answer[#answer + 1] = key
      end
    end
    answers[#answers + 1] = answer
  end
end
return answers
