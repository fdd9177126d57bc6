-- SPDX-License-Identifier: Apache-2.0
-- The effect of a test: what has become of each key is noted in a hash.
stores[#stores + 1] = function(notes, _, first, last)
  need('HSET')
  for i = first, last do
    redis.call('HSET', notes, ARGV[i], 'stored')
  end
end
