-- SPDX-License-Identifier: Apache-2.0
-- Begins a new incarnation of the voter, without a vote, if its state is as expected.
-- ARGV[2]  the generation
-- ARGV[3]  a unique text; combined with the server's time, so that a repetition begins another incarnation
-- ARGV[4]  'lost' if there must be no incarnation, else incarnation, slash and ballot
if ARGV[4] == 'lost' then
  if isAlive then
    return {'LIVES', life}
  end
elseif ARGV[4] ~= life .. '/' .. ballot then
  return {'CHANGED', life, ballot}
end

need('HSET')
need('HDEL')
local time = redis.call('TIME')
local begun = ARGV[3] .. '-' .. time[1] .. '.' .. time[2]
redis.call('HDEL', KEYS[1], 'ballot', 'value')
redis.call('HSET', KEYS[1], 'gen', ARGV[2], 'life', begun, 'reign', reign, 'promise', '')
return {'BEGUN', begun}
