-- SPDX-License-Identifier: Apache-2.0
checks[#checks + 1] = function(notes)
  need('HSET', true)
  redis.call('HLEN', notes)
end
