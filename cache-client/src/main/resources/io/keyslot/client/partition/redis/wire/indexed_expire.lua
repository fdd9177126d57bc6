-- SPDX-License-Identifier: Apache-2.0
-- requires ease.lua
expiries[#expiries + 1] = ease
