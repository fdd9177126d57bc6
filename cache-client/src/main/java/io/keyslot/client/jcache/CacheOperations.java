// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.cache.BulkChanges;
import io.keyslot.client.cache.BulkProcessing;
import io.keyslot.client.cache.Clearing;
import io.keyslot.client.cache.Processing;
import io.keyslot.client.cache.Reads;
import io.keyslot.client.cache.Scanning;
import io.keyslot.client.cache.Writes;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.loading.AsyncLoads;

/** The operations of a cache, one class for each kind. */
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
        FailSafeCalls<K, V> failSafe) {
    EventPublisher<K, V> publisher() {
        return writes.publisher();
    }
}
