// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import java.time.Duration;
import java.util.Random;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/** How a cache is configured, and where the calls are made. */
public record RaceSetting(
        boolean listener,
        boolean ownPolicy,
        boolean pendingDeletes,
        boolean readThrough,
        boolean behind,
        boolean twoProcesses,
        Writer writer) {
    /** Draws one. */
    public static RaceSetting random(Random chance) {
        return new RaceSetting(
                chance.nextInt(3) == 0,
                chance.nextInt(3) == 0,
                chance.nextInt(3) == 0,
                chance.nextInt(4) == 0,
                chance.nextInt(5) == 0,
                chance.nextBoolean(),
                Writer.values()[chance.nextInt(Writer.values().length)]);
    }

    RaceSetting with(Writer other) {
        return new RaceSetting(listener, ownPolicy, pendingDeletes, readThrough, behind, twoProcesses, other);
    }

    /** Whether the database gets the changes of a key in the order of the cache. */
    public boolean isOrdered() {
        return !behind || !twoProcesses;
    }

    /** Returns the configuration of a cache with this writer and loader. */
    public PartitionedConfiguration<String, String> configuration(Rows database) {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, String.class);
        configuration.setWriteThrough(true);
        configuration.setCacheWriterFactory(constant(database));
        if (listener) {
            configuration.addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                    constant((CacheEntryCreatedListener<String, String>) events -> {}), null, true, true));
        }
        if (ownPolicy) {
            configuration.setExpiryPolicyFactory(constant(new OwnPolicy()));
        }
        if (pendingDeletes) {
            configuration.setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL);
        }
        if (readThrough) {
            configuration.setReadThrough(true);
            configuration.setCacheLoaderFactory(constant(database));
        }
        if (behind) {
            configuration.setWriteBehind(WriteBehindOptions.defaults().withDelay(Duration.ofMillis(10)));
        }
        return configuration;
    }

    private static <T> Factory<T> constant(T value) {
        return () -> value;
    }

    /** How the writer behaves. */
    public enum Writer {
        FAST,
        SLOW,
        VERY_SLOW,
        FAILING
    }

    /** One of the application: nothing is known of it beforehand. */
    private static final class OwnPolicy implements ExpiryPolicy {
        @Override
        public javax.cache.expiry.Duration getExpiryForCreation() {
            return javax.cache.expiry.Duration.ONE_HOUR;
        }

        @Override
        public javax.cache.expiry.Duration getExpiryForAccess() {
            return javax.cache.expiry.Duration.ONE_DAY;
        }

        @Override
        public javax.cache.expiry.@Nullable Duration getExpiryForUpdate() {
            return null;
        }
    }
}
