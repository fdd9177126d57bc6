// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of the scan of one partition; {@code failure} is null unless the partition's entries are missing. */
record ScanOutcome<K, V>(
        List<StoredEntry<K, V>> entries,
        boolean truncated,
        @Nullable KeyslotException failure) {
    static <K, V> ScanOutcome<K, V> missed(KeyslotException failure) {
        return new ScanOutcome<>(List.of(), false, failure);
    }
}
