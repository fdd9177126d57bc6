-- SPDX-License-Identifier: Apache-2.0
-- Answers the approximate memory, in bytes, of each key.
-- KEYS  the keys
local COUNTS = {hash = 'HLEN', list = 'LLEN', set = 'SCARD', zset = 'ZCARD'}

-- The approximate bytes of an element, where the server does not report them.
local ELEMENT = 64

local function weight(key)
  local bytes = redis.pcall('MEMORY', 'USAGE', key)
  if type(bytes) == 'number' then
    return bytes
  elseif not bytes then
    return 0
  end
  local kind = redis.call('TYPE', key).ok
  if kind == 'string' then
    return redis.call('STRLEN', key) + ELEMENT
  end
  return COUNTS[kind] and redis.call(COUNTS[kind], key) * ELEMENT or 0
end

local answers = {}
for i = 1, #KEYS do
  answers[i] = weight(KEYS[i])
end
return answers
