// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.client.loading.Bulkhead;
import io.keyslot.client.loading.EarlyRefresh;
import io.keyslot.client.loading.Flights;
import io.keyslot.client.loading.Leases;
import io.keyslot.client.loading.LoadObserver;
import io.keyslot.client.loading.LoaderCalls;

/**
 * What the loads of one cache work with.
 *
 * @param flights the loads under way
 * @param leases renews what keeps other processes from loading the same
 * @param calls calls the loader
 * @param bulkhead bounds the loads that a missing partition causes
 * @param early decides when to load an entry again before it expires
 */
record LoadParts<V>(
        LoadingOptions options,
        Flights<V> flights,
        Leases leases,
        LoaderCalls calls,
        Bulkhead bulkhead,
        EarlyRefresh early,
        LoadObserver observer) {}
