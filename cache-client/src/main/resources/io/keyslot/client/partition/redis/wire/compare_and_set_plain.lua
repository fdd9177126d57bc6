-- SPDX-License-Identifier: Apache-2.0
-- Precedes compare_and_set.lua and handles its usual case: a plain entry is expected and present. It defines no
-- functions, because a server creates those of a script at each call.
if ARGV[1] ~= '\0\0\0\0\0\0\0\0' then
  local found = redis.pcall('GETRANGE', KEYS[1], '0', '21')
  if type(found) == 'string' and #found == 22 and string.byte(found, 2) == 0 then
    local entry, expiry = ARGV[2], ARGV[3]
    if string.sub(found, 15) ~= ARGV[1]
      or string.sub(found, 3, 14) ~= string.sub(entry, 3, 14)
      or string.byte(found) ~= string.byte(entry) then
      return 0
    elseif expiry == 'unchanged' then
      redis.call('SET', KEYS[1], entry, 'KEEPTTL')
    elseif expiry == 'never' then
      redis.call('SET', KEYS[1], entry)
    else
      redis.call('SET', KEYS[1], entry, 'PX', expiry)
    end
    return 1
  end
end
