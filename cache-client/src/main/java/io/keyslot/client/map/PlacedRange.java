// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import org.jspecify.annotations.Nullable;

/**
 * Ids that belong together because they follow each other.
 *
 * @param low the first id, null if there is no first one
 * @param high the id behind the last one, null if there is no last one
 * @param target where they are
 */
public record PlacedRange(@Nullable String low, @Nullable String high, PlacementTarget target) {
    @Override
    public String toString() {
        return "[" + (low == null ? "" : low) + "," + (high == null ? "" : high) + ")";
    }
}
