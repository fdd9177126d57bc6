// SPDX-License-Identifier: Apache-2.0
/**
 * Ids of root keys as a placement looks them up: in the bytes of a key, without a copy of them. {@link
 * io.keyslot.client.map.id.ListedIds} finds an id among many, {@link io.keyslot.client.map.id.RankedBounds} the range that it is
 * in, by its {@link io.keyslot.client.map.id.Rank} among those of a {@link io.keyslot.client.map.id.RangeType}. Pure values.
 */
@NullMarked
package io.keyslot.client.map.id;

import org.jspecify.annotations.NullMarked;
