-- SPDX-License-Identifier: Apache-2.0
-- Stands behind stored.lua in the scripts that let an entry with effects expire at another time. Behind it stands the file of
-- each effect, name_expire.lua, which adds its function of a key to expiries. It refuses nothing.
--
-- Each effect has one of the last KEYS.
local expiries = {}

function expired()
  for i = 1, EFFECTS do
    expiries[i](KEYS[#KEYS - EFFECTS + i])
  end
end
