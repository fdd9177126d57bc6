// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link PartitionedCacheManager#erase} removed, and what it could not reach. Immutable.
 *
 * @param key the erased key
 * @param parts what was removed, and what was not, by place
 */
public record ErasureReport(EntityKey key, List<Part> parts) {
    public ErasureReport {
        parts = List.copyOf(parts);
    }

    /**
     * One kind of content at one place.
     *
     * @param place the name of a partition, or {@code this process}
     * @param content such as {@code entries of order}, {@code feed of customer} or {@code write-behind queue of customer}
     * @param removed the number of removed values; 0 if there is a problem
     * @param problem why this content could not be removed, and who removes it later; null if all of it was removed
     */
    public record Part(
            String place,
            String content,
            long removed,
            @Nullable String problem) {}

    /** Returns whether everything was reached. Otherwise, erase the key again. */
    public boolean isComplete() {
        return parts.stream().allMatch(part -> part.problem() == null);
    }
}
