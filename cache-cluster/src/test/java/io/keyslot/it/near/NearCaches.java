// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearValues;
import io.keyslot.it.KeyslotManagers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.expiry.ModifiedExpiryPolicy;

/** The cache of these tests, with near copies and without. */
final class NearCaches {
    private static final String NAME = "versions";
    private static final AtomicInteger OPENED = new AtomicInteger();

    private NearCaches() {}

    /** Opens a manager of its own, whatever other tests have open beside this one. */
    static CacheManager open(String process, List<String> addresses, Map<String, ?> settings) {
        return KeyslotManagers.open(process + "-" + OPENED.incrementAndGet(), addresses, settings);
    }

    /** Makes one whose entries end after this time, zero if they do not. */
    static Cache<String, Long> plain(CacheManager manager, Duration lifetime) {
        return manager.createCache(NAME, configuration(lifetime));
    }

    static Cache<String, Long> near(CacheManager manager, Duration lifetime, Duration staleness) {
        NearOptions options =
                NearOptions.ofEntries(10_000).withStaleness(staleness).withValues(NearValues.SHARED);
        return manager.createCache(NAME, configuration(lifetime).setNear(options));
    }

    private static PartitionedConfiguration<String, Long> configuration(Duration lifetime) {
        PartitionedConfiguration<String, Long> configuration = new PartitionedConfiguration<>();
        if (!lifetime.isZero()) {
            configuration.setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(
                    new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, lifetime.toMillis())));
        }
        return configuration;
    }
}
