-- SPDX-License-Identifier: Apache-2.0
-- requires refresh_index_ttl.lua
-- Names in the index of a group are hints: one that stays, because the user may not or because there is something else in
-- the place of the index, is not taken for an entry.
removals[#removals + 1] = function(index, first, last)
  redis.pcall('ZREM', index, unpack(ARGV, first, last))
  ease(index)
end
