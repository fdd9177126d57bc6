// SPDX-License-Identifier: Apache-2.0
/** The map of a cache: owner of each slot, addresses of partitions, moves and placements. Pure values. */
@NullMarked
package io.keyslot.client.map;

import org.jspecify.annotations.NullMarked;
