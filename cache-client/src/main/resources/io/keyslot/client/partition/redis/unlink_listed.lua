-- SPDX-License-Identifier: Apache-2.0
-- Removes whatever is stored, and takes the names out of the index; answers under how many keys there was something.
--
-- KEYS[1]  the index
-- KEYS[2]  and further: the keys
-- ARGV     their names
local removed = redis.call('UNLINK', unpack(KEYS, 2))
unlist(KEYS[1], unpack(ARGV))
return removed
