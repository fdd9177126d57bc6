-- SPDX-License-Identifier: Apache-2.0
-- Answers which copy there is, and in which life, without the values, and changes nothing.
local copy = redis.call('HMGET', KEYS[1], 'copy.gen', 'copy.seq', 'copy.version')
return {'PEEKED', copy[1] or '', copy[2] or '', copy[3] or '', isAlive and life or ''}
