-- SPDX-License-Identifier: Apache-2.0
-- Answers the whole state. Changes nothing.
local copy = redis.call('HMGET', KEYS[1], 'copy.gen', 'copy.value', 'value')
return {
  'VIEWED',
  isAlive and '1' or '0',
  life,
  generation,
  promise,
  ballot,
  copy[3] or '',
  copy[1] or '',
  copy[2] or '',
}
