// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionedCache;

/** A cache of a manager; {@code face} is the object for applications, which observes calls if that is configured. */
record OpenCache<K, V>(KeyslotCache<K, V> cache, PartitionedCache<K, V> face) {}
