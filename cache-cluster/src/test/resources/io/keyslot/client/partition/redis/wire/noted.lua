-- SPDX-License-Identifier: Apache-2.0
-- The effect of a test: what has become of each key is noted in a hash.

-------- check
checks[#checks + 1] = function(notes)
  need('HSET', true)
  redis.call('HLEN', notes)
end

-------- store
stores[#stores + 1] = function(notes, _, first, last)
  need('HSET')
  for i = first, last do
    redis.call('HSET', notes, ARGV[i], 'stored')
  end
end

-------- remove
removals[#removals + 1] = function(notes, first, last)
  for i = first, last do
    if redis.call('HEXISTS', notes, ARGV[i]) == 1 then
      redis.call('HSET', notes, ARGV[i], 'removed')
    end
  end
end

-------- expire
expiries[#expiries + 1] = function() end
