// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionedCache;

/**
 * A cache of a manager.
 *
 * @param face the same cache as applications hold it: itself, unless its calls are observed
 */
record OpenCache<K, V>(KeyslotCache<K, V> cache, PartitionedCache<K, V> face) {}
