-- SPDX-License-Identifier: Apache-2.0
expiries[#expiries + 1] = function() end
