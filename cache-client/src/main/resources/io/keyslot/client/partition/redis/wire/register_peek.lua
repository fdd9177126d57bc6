-- SPDX-License-Identifier: Apache-2.0
-- Answers the stamp of the copy and the incarnation, without values. Changes nothing.
local copy = redis.call('HMGET', KEYS[1], 'copy.gen', 'copy.seq', 'copy.version')
return {'PEEKED', copy[1] or '', copy[2] or '', copy[3] or '', isAlive and life or ''}
