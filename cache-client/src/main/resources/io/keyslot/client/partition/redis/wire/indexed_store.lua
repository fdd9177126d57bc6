-- SPDX-License-Identifier: Apache-2.0
-- requires index.lua refresh_index_ttl.lua
-- The name of each entry is listed in the index of its group: first, so that something else in the place of the index is
-- found before anything was written.
stores[#stores + 1] = function(index, lasting, first, last)
  local _, isEternal = list(index, lasting, first, last)
  return isEternal and function()
    ease(index)
  end or nil
end
