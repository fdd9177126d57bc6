-- SPDX-License-Identifier: Apache-2.0
-- requires refresh_index_ttl.lua
-- Names in an index are hints: a name that stays, because of a missing right or a foreign value under the index's key,
-- is not taken for an entry.
removals[#removals + 1] = function(index, first, last)
  redis.pcall('ZREM', index, unpack(ARGV, first, last))
  ease(index)
end
