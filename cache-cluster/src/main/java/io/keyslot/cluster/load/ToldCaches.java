// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import io.keyslot.slot.PartitionId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What clients have told of their caches.
 *
 * @param caches by name, in its order
 * @param journals by partition, the deletions that clients owe it
 * @param clients how many have told of caches; older ones tell nothing
 * @param unnamed how many caches clients had no room for in their reports
 * @param brokenLinks of all clients together, the links to partitions that do not tell near caches of changes
 */
public record ToldCaches(
        Map<String, CacheUse> caches, Map<String, Long> journals, int clients, int unnamed, int brokenLinks) {
    public ToldCaches {
        caches = Collections.unmodifiableMap(new TreeMap<>(caches));
        journals = Map.copyOf(journals);
    }

    /** Returns how many deletions clients owe a partition. */
    public long owedTo(PartitionId partition) {
        return journals.getOrDefault(partition.name(), 0L);
    }
}
