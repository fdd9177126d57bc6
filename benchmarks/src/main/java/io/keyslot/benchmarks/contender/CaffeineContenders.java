// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import com.github.benmanes.caffeine.jcache.configuration.CaffeineConfiguration;
import io.keyslot.benchmarks.workload.Customer;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;

/** Opens Caffeine's JCache, which keeps entries in the process and knows no other. */
final class CaffeineContenders {
    private static final String PROVIDER = "com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider";

    private CaffeineContenders() {}

    /** Gives callers the object that was put. */
    static Contender byReference(Conditions conditions) {
        return open(conditions, false);
    }

    /** Gives callers a copy by Java serialization, which is what JCache's default asks for. */
    static Contender byValue(Conditions conditions) {
        return open(conditions, true);
    }

    private static Contender open(Conditions conditions, boolean byValue) {
        CaffeineConfiguration<Long, Customer> configuration = new CaffeineConfiguration<>();
        configuration.setTypes(Long.class, Customer.class);
        configuration.setStoreByValue(byValue);
        configuration.setExpiryPolicyFactory(conditions.lifetime().policy());
        CacheManager manager = Caching.getCachingProvider(PROVIDER).getCacheManager();
        Cache<Long, Customer> cache = manager.createCache("customer", configuration);
        return new JCacheContender(manager, cache);
    }
}
