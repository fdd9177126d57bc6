-- SPDX-License-Identifier: Apache-2.0
-- Keeps one part of a value until all of them are there. If nobody puts them in the place of the value, they expire.
--
-- KEYS[1]  where the parts are
-- ARGV[1]  the number of the part, or the name of the manifest
-- ARGV[2]  the bytes
-- ARGV[3]  milliseconds
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
