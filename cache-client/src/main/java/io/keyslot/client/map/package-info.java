// SPDX-License-Identifier: Apache-2.0
/** The map of a cache: owners of slots, addresses of partitions, moves and placements. Pure values. */
@NullMarked
package io.keyslot.client.map;

import org.jspecify.annotations.NullMarked;
