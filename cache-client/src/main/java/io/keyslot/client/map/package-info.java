// SPDX-License-Identifier: Apache-2.0
/**
 * The map of a cache: which partition owns each slot, where the partitions are, which slots are on their way, and what
 * must hold of all that. Pure values; whoever agrees on a map, and whoever moves slots, is elsewhere.
 */
@NullMarked
package io.keyslot.client.map;

import org.jspecify.annotations.NullMarked;
