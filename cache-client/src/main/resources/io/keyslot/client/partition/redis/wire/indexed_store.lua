-- SPDX-License-Identifier: Apache-2.0
-- requires index.lua refresh_index_ttl.lua
-- Lists the name of each entry in the index of its group first, so that a foreign value under the index's key is found
-- before the first write.
stores[#stores + 1] = function(index, lasting, first, last)
  local _, isEternal = list(index, lasting, first, last)
  return isEternal and function()
    ease(index)
  end or nil
end
