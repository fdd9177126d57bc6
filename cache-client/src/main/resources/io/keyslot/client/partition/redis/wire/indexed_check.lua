-- SPDX-License-Identifier: Apache-2.0
checks[#checks + 1] = function(index)
  need('PTTL', true)
  need('ZADD', true)
  need('PERSIST', true)
  need('PEXPIRE', true)
  redis.call('ZCARD', index)
end
