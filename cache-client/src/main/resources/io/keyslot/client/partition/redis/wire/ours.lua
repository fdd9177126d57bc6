-- SPDX-License-Identifier: Apache-2.0
-- Stands behind stored.lua in the scripts that remove whatever is stored.

-- Removes what is ours under the keys from a place in KEYS on, of each of which ARGV has a header, from 1 on. Returns under how
-- many there was something of ours.
local function unlinkOurs(first)
  local ours = {}
  for i = first, #KEYS do
    if isOurs((head(KEYS[i])), ARGV[i - first + 1]) then
      ours[#ours + 1] = KEYS[i]
    end
  end
  return ours[1] and redis.call('UNLINK', unpack(ours)) or 0
end
