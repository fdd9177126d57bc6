// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

/** What can be done with a cache: a class for each kind of operation. */
record CacheOperations<K, V>(
        Reads<K, V> reads,
        Loads<K, V> loads,
        Writes<K, V> writes,
        BulkChanges<K, V> bulk,
        Clearing<K, V> clearing,
        Processing<K, V> processing,
        BulkProcessing<K, V> bulkProcessing,
        Scanning<K, V> scanning,
        Explaining<K, V> explaining,
        ChangeTeller<K, V> told) {}
