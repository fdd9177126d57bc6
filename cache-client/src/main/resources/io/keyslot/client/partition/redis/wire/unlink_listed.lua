-- SPDX-License-Identifier: Apache-2.0
-- Removes what is ours under some keys, and takes their names out of the index; answers under how many keys there was
-- something of ours.
--
-- KEYS[1]  the index
-- KEYS[2]  and further: the keys
-- ARGV[1]  and further: for each key a header
-- ARGV     and behind these: their names
local removed = unlinkOurs(2)
unlist(KEYS[1], unpack(ARGV, #KEYS))
return removed
