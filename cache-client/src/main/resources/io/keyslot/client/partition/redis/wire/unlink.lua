-- SPDX-License-Identifier: Apache-2.0
-- Removes what is ours under some keys; answers under how many there was something of ours.
--
-- KEYS  the keys
-- ARGV  for each key a header
return unlinkOurs(1)
