// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinderCompatibilityKit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AutoClose;

/** What Micrometer expects of the meters of every cache. */
class CacheMetersTest extends CacheMeterBinderCompatibilityKit<Cache<String, String>> {
    @AutoClose
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    private final CacheMeters meters = Meters.of("cacheManager", new SimpleMeterRegistry(), null, new SystemTicker())
            .cache("mycache");

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
        return (CacheMeterBinder<Cache<String, String>>) (CacheMeterBinder<?>) meters.binderOf(cache, "cacheManager");
    }

    @Override
    public void put(String key, String value) {
        cache.put(key, value);
        meters.onPuts(1);
    }

    @Override
    @SuppressWarnings("NullAway") // the kit expects null for a miss
    public String get(String key) {
        String value = cache.get(key);
        if (value == null) {
            meters.onMisses(1);
        } else {
            meters.onHits(1);
        }
        return value;
    }
}
