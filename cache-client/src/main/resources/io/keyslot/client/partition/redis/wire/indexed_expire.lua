-- SPDX-License-Identifier: Apache-2.0
-- requires refresh_index_ttl.lua
expiries[#expiries + 1] = ease
