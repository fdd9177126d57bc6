// SPDX-License-Identifier: Apache-2.0
package io.keyslot.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.PartitionFaults;
import java.time.Duration;
import java.util.Random;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What becomes of a name whose cache could not be destroyed, because a partition was missing. */
class DestroyedCacheTest {
    private static final String NAME = "orders";
    private static final int KEYS = 12;
    private static final int HISTORIES = 60;
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(30);

    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start();

    private final CacheManager manager = keyslot.cacheManager();

    private static Cache<String, String> create(CacheManager manager) {
        return manager.createCache(
                NAME, new MutableConfiguration<String, String>().setTypes(String.class, String.class));
    }

    private PartitionFaults cutOffFrom(Cache<String, String> cache) {
        return keyslot.partitionOf(cache, "k").cut(0);
    }

    @Test
    void destroyThatFailed_canBeRepeated() {
        Cache<String, String> cache = create(manager);
        cache.put("k", "old");
        PartitionFaults partition = cutOffFrom(cache);
        assertThatThrownBy(() -> manager.destroyCache(NAME)).isInstanceOf(CacheException.class);
        assertThat(cache.isClosed()).isTrue();
        assertThatThrownBy(() -> manager.destroyCache(NAME)).isInstanceOf(CacheException.class);

        partition.mend(0);
        keyslot.advance(LONG_ENOUGH);
        manager.destroyCache(NAME);

        assertThat(create(manager).get("k")).isNull();
    }

    @Test
    void nameWhoseCacheIsNotYetDestroyed_hasNoCache() {
        cutOffFrom(withEntry());
        assertThatThrownBy(() -> manager.destroyCache(NAME)).isInstanceOf(CacheException.class);

        assertThatThrownBy(() -> create(manager))
                .isInstanceOf(CacheException.class)
                .hasMessageContaining(NAME)
                .hasMessageContaining("not all of its entries are removed");
        assertThat((Object) manager.getCache(NAME)).isNull();
        assertThat(manager.getCacheNames()).isEmpty();
    }

    @Test
    void creation_endsTheDestructionFirst() {
        PartitionFaults partition = cutOffFrom(withEntry());
        assertThatThrownBy(() -> manager.destroyCache(NAME)).isInstanceOf(CacheException.class);
        partition.mend(0);
        keyslot.advance(LONG_ENOUGH);

        assertThat(create(manager).get("k")).isNull();
    }

    private Cache<String, String> withEntry() {
        Cache<String, String> cache = create(manager);
        cache.put("k", "old");
        return cache;
    }

    /** Partitions come and go, and the cache with them: nobody reads what an earlier cache of the name has stored. */
    @Test
    void cacheOfTheSameName_neverServesWhatWasBeforeIt() {
        int created = 0;
        for (int seed = 0; seed < HISTORIES; seed++) {
            Random random = new Random(seed);
            try (EmbeddedKeyslot own = EmbeddedKeyslot.start()) {
                created += history(own, random);
            }
        }
        assertThat(created).isGreaterThan(HISTORIES);
    }

    private static int history(EmbeddedKeyslot keyslot, Random random) {
        CacheManager manager = keyslot.cacheManager();
        int incarnation = 0;
        for (int step = 0; step < 25; step++) {
            PartitionFaults partition =
                    keyslot.partitions().get(random.nextInt(keyslot.partitions().size()));
            switch (random.nextInt(6)) {
                case 0 -> partition.cut(0);
                case 1 -> {
                    partition.mend(0);
                    keyslot.advance(LONG_ENOUGH);
                }
                case 2 -> attempt(() -> manager.destroyCache(NAME));
                default -> {
                    if (manager.getCache(NAME) == null && attempt(() -> create(manager))) {
                        incarnation++;
                    }
                    use(manager.getCache(NAME), "life " + incarnation);
                }
            }
        }
        return incarnation;
    }

    private static void use(Cache<String, String> cache, String incarnation) {
        for (int key = 0; cache != null && key < KEYS; key++) {
            String name = "k" + key;
            attempt(() -> assertThat(cache.get(name)).isIn(null, incarnation));
            attempt(() -> cache.put(name, incarnation));
        }
    }

    private static boolean attempt(Runnable call) {
        try {
            call.run();
            return true;
        } catch (CacheException e) {
            return false; // a partition is missing
        }
    }
}
