// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Changes, either only deletes or none, that the writer receives in one call, in the order in which they became due.
 */
record Batch<K, V>(List<KeyState<K, V>> states, Map<K, PendingChange<V>> changes) {
    boolean isDeletes() {
        return changes.values().iterator().next().isDelete();
    }

    Set<K> keys() {
        return changes.keySet();
    }

    Map<K, V> values() {
        Map<K, V> values = new LinkedHashMap<>();
        changes.forEach((key, change) -> values.put(key, Objects.requireNonNull(change.value())));
        return values;
    }
}
