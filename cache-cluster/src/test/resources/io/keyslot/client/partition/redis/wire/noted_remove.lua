-- SPDX-License-Identifier: Apache-2.0
removals[#removals + 1] = function(notes, first, last)
  for i = first, last do
    if redis.call('HEXISTS', notes, ARGV[i]) == 1 then
      redis.call('HSET', notes, ARGV[i], 'removed')
    end
  end
end
