-- SPDX-License-Identifier: Apache-2.0
-- Follows stored.lua in scripts that change the expiry of an entry with effects. The files name_expire.lua follow; each
-- adds a function of its key to expiries, which must not refuse anything. Each effect has one of the last KEYS.
local expiries = {}

function expired()
  for i = 1, EFFECTS do
    expiries[i](KEYS[#KEYS - EFFECTS + i])
  end
end
