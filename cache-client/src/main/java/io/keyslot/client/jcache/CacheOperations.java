// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.change.BulkChanges;
import io.keyslot.client.change.BulkProcessing;
import io.keyslot.client.change.Clearing;
import io.keyslot.client.change.Processing;
import io.keyslot.client.change.Reads;
import io.keyslot.client.change.Writes;
import io.keyslot.client.entry.ForgivingCalls;
import io.keyslot.client.event.ChangeTeller;
import io.keyslot.client.loading.AsyncLoads;
import io.keyslot.client.scan.Scanning;

/** What can be done with a cache: a class for each kind of operation. */
record CacheOperations<K, V>(
        Reads<K, V> reads,
        AsyncLoads<K, V> loads,
        Writes<K, V> writes,
        BulkChanges<K, V> bulk,
        Clearing<K, V> clearing,
        Processing<K, V> processing,
        BulkProcessing<K, V> bulkProcessing,
        Scanning<K, V> scanning,
        Explaining<K, V> explaining,
        ForgivingCalls<K, V> forgiving) {
    ChangeTeller<K, V> told() {
        return writes.told();
    }
}
