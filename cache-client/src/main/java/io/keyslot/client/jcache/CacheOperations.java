// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.cache.CacheReads;
import io.keyslot.client.cache.CacheScans;
import io.keyslot.client.cache.CacheWrites;
import io.keyslot.client.cache.EntryProcessors;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.loading.AsyncLoads;

/** The operations of a cache, one class for each kind. */
record CacheOperations<K, V>(
        CacheReads<K, V> reads,
        AsyncLoads<K, V> loads,
        CacheWrites<K, V> writes,
        EntryProcessors<K, V> processors,
        CacheScans<K, V> scans,
        Explaining<K, V> explaining,
        FailSafeCalls<K, V> failSafe) {}
