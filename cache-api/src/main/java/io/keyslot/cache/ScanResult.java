// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.slot.PartitionId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;

/**
 * What a {@linkplain PartitionedCache#scan scan} found: matching entries of all partitions but those that were missing.
 * Of a partition it gives all that is asked for, or nothing: what a partition had given before it was lost is left out.
 *
 * @param entries the entries in the order that was asked for, in any order if there was none; each unwraps to a
 *     {@link PartitionedEntry}
 * @param missing the partitions that could not be asked, or not to their end, each with the reason; empty unless the policy
 *     is {@link MissingPartitionScanPolicy#PARTIAL}
 * @param truncated whether more entries matched than the limit allows
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public record ScanResult<K, V>(List<Cache.Entry<K, V>> entries, Map<PartitionId, String> missing, boolean truncated) {
    public ScanResult {
        entries = List.copyOf(entries);
        missing = Collections.unmodifiableMap(new LinkedHashMap<>(missing));
    }

    /** Returns whether partitions are missing, so that there may be entries that would belong to the result. */
    public boolean isPartial() {
        return !missing.isEmpty();
    }
}
