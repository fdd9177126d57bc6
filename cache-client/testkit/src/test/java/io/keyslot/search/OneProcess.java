// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.testkit.EmbeddedKeyslot;
import java.time.Duration;
import java.util.Date;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/** One process of a program: its cache, and what the cache is to tell and to count. */
final class OneProcess {
    /** How often something is tried that fails. */
    private static final int ATTEMPTS = 4;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Scenario scenario;
    private final int number;
    private final String cacheName;
    private final EmbeddedKeyslot keyslot;
    private final TestDatabase database;
    private final PartitionedCacheManager manager;
    private final Told told;
    private final Counted counted = new Counted();
    private @Nullable PartitionedCache<Object, Date> cache;

    OneProcess(Scenario scenario, int number, String cacheName, EmbeddedKeyslot keyslot, TestDatabase database) {
        this.scenario = scenario;
        this.number = number;
        this.cacheName = cacheName;
        this.keyslot = keyslot;
        this.database = database;
        this.manager = keyslot.cacheManager(number);
        this.told = new Told(keyslot::yieldTurn);
    }

    int number() {
        return number;
    }

    Scenario scenario() {
        return scenario;
    }

    EmbeddedKeyslot keyslot() {
        return keyslot;
    }

    PartitionedCacheManager manager() {
        return manager;
    }

    Told told() {
        return told;
    }

    Counted counted() {
        return counted;
    }

    /** Returns what is wrong with the statistics, null if nothing is. */
    @Nullable
    String miscounted() {
        return counted.problem(number == 0 ? "keyslot" : "keyslot-" + number, cacheName);
    }

    boolean hasCache() {
        return cache != null;
    }

    PartitionedCache<Object, Date> cache() {
        PartitionedCache<Object, Date> open = cache;
        if (open == null) {
            throw new IllegalStateException("There is no cache");
        }
        return open;
    }

    void open() {
        cache = manager.createCache(cacheName, configuration());
    }

    /** Destroys the cache and makes it again, as often as it takes; returns whether that could be done. */
    boolean reopen() {
        cache = null;
        for (int i = 0; i < ATTEMPTS && !isDone(() -> manager.destroyCache(cacheName)); i++) {
            Cache<Object, Date> found = manager.getCache(cacheName);
            if (found != null) {
                throw new AssertionError("A cache that is not yet destroyed is there");
            }
            keyslot.advance(PAUSE);
        }
        for (int i = 0; i < ATTEMPTS && !isDone(this::open); i++) {
            keyslot.advance(PAUSE);
        }
        return hasCache();
    }

    private static boolean isDone(Runnable attempt) {
        try {
            attempt.run();
            return true;
        } catch (CacheException e) {
            boolean unused = Thread.interrupted();
            return false;
        }
    }

    private PartitionedConfiguration<Object, Date> configuration() {
        PartitionedConfiguration<Object, Date> configuration = new PartitionedConfiguration<>();
        configuration.setEntityType(Form.TYPE);
        configuration.setMissingPartition(scenario.reads());
        configuration.setMissingPartitionWrites(scenario.writes());
        configuration.setStatisticsEnabled(scenario.isCalm());
        switch (scenario.form()) {
            case PLAIN -> {}
            case INDEXED -> configuration.setIndexed(true);
            case GROUPED -> configuration.setGroupedBy(Form.ROOT.type());
        }
        if (scenario.database().isRead()) {
            configuration.setReadThrough(true);
            configuration.setCacheLoaderFactory(() -> database);
            if (scenario.timedLoads()) {
                configuration.setLoading(LoadingOptions.defaults().withTimeout(ProgramRun.LONGEST_CALL));
            }
        }
        if (scenario.database().isWritten()) {
            configuration.setWriteThrough(true);
            configuration.setCacheWriterFactory(() -> database);
        }
        if (scenario.database() == Scenario.Backing.WRITE_BEHIND) {
            configuration.setWriteBehind(WriteBehindOptions.defaults());
        }
        ExpiryPolicy policy = scenario.lifetime().policy();
        configuration.setExpiryPolicyFactory(() -> policy);
        if (scenario.listener()) {
            configuration.addCacheEntryListenerConfiguration(
                    new MutableCacheEntryListenerConfiguration<>(() -> told, null, true, true));
        }
        return configuration;
    }
}
