// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.entry.CacheCounts;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinderCompatibilityKit;
import java.util.concurrent.atomic.LongAdder;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;

/** What Micrometer expects of the meters of every cache. */
class CacheMetersTest extends CacheMeterBinderCompatibilityKit<Cache<String, String>> {
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();
    private final Counts counts = new Counts();

    /** Counts what the kit does. */
    private static final class Counts implements CacheCounts {
        private final LongAdder hits = new LongAdder();
        private final LongAdder misses = new LongAdder();
        private final LongAdder puts = new LongAdder();

        @Override
        public long hits() {
            return hits.sum();
        }

        @Override
        public long misses() {
            return misses.sum();
        }

        @Override
        public long puts() {
            return puts.sum();
        }

        @Override
        public long removals() {
            return 0;
        }
    }

    @AfterEach
    void close() {
        provider.close();
    }

    @Override
    public Cache<String, String> createCache() {
        return provider.getCacheManager().createCache("mycache", new MutableConfiguration<String, String>());
    }

    @Override
    public void dereferenceCache() {
        super.dereferenceCache();
        provider.close();
    }

    @Override
    @SuppressWarnings("unchecked") // the kit asks for the type of its cache
    public CacheMeterBinder<Cache<String, String>> binder() {
        return (CacheMeterBinder<Cache<String, String>>)
                (CacheMeterBinder<?>) new CacheMeters(cache, "cacheManager", counts);
    }

    @Override
    public void put(String key, String value) {
        cache.put(key, value);
        counts.puts.increment();
    }

    @Override
    @SuppressWarnings("NullAway") // the kit expects null for a miss
    public String get(String key) {
        String value = cache.get(key);
        (value == null ? counts.misses : counts.hits).increment();
        return value;
    }
}
