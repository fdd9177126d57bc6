-- SPDX-License-Identifier: Apache-2.0
-- Begins a new life, without a vote, if the instance is as it was seen.
--
-- ARGV[2]  the generation
-- ARGV[3]  what nobody else gives; with the time of the server, so that a repetition makes another life
-- ARGV[4]  'lost' if there must be no life, or else life, slash and ballot
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
