// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.slot.PartitionId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;

/**
 * The result of a {@linkplain PartitionedCache#scan scan}: the matching entries of all partitions that were read
 * completely. Entries of a partition that was lost during the scan are left out.
 *
 * @param entries the entries in the requested order, or in any order if there was none; each unwraps to a
 *     {@link PartitionedEntry}
 * @param missing the partitions that were not read completely, with the reasons; empty unless the policy is
 *     {@link MissingPartitionScanPolicy#PARTIAL}
 * @param truncated whether more entries matched than the limit allows
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public record ScanResult<K, V>(List<Cache.Entry<K, V>> entries, Map<PartitionId, String> missing, boolean truncated) {
    public ScanResult {
        entries = List.copyOf(entries);
        missing = Collections.unmodifiableMap(new LinkedHashMap<>(missing));
    }

    /** Returns whether partitions are missing, so that the result may lack matching entries. */
    public boolean isPartial() {
        return !missing.isEmpty();
    }
}
