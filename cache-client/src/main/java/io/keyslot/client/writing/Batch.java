// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Changes of one kind that the writer gets in one call.
 *
 * @param states the keys, in the order in which they became due
 * @param changes what they get, for each key; deletes only, or none of them
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
