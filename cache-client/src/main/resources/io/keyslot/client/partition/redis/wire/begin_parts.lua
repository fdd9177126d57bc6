-- SPDX-License-Identifier: Apache-2.0
-- Begins to store a value in parts: where they are to be, there is never a key without a time to live.
--
-- KEYS[1]  where the parts are to be
-- ARGV[1]  the field of the manifest
-- ARGV[2]  the manifest
-- ARGV[3]  milliseconds
need('HSET')
need('PEXPIRE')
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
