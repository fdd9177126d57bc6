// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.LoadedValue;
import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.jcache.MapLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.processor.EntryProcessorException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is loaded while a partition is missing is kept at another one, for all processes and for a short time. */
class GutterTest {
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final Duration UNTIL_MISSING = Duration.ofSeconds(1);

    /** Beyond this, a process uses the copies of an entry again that it has tried to change. */
    private static final Duration AFTER_A_CHANGE = KEPT.plusSeconds(6);

    private static final String KEY = "99";

    @AutoClose
    private final EmbeddedKeyslot keyslot =
            EmbeddedKeyslot.start(KeyslotSettings.defaults().withPartitions(3));

    private final Map<String, String> database = new ConcurrentHashMap<>();
    private final MapLoader<String, String> loader = MapLoader.answering(database::get);

    private PartitionedConfiguration<String, String> configuration() {
        database.putIfAbsent(KEY, "old");
        return new PartitionedConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> loader)
                .setGutter(KEPT);
    }

    private PartitionedCache<String, String> cache(int process) {
        return keyslot.cacheManager(process).createCache("product", configuration());
    }

    private PartitionFaults kill(PartitionedCache<String, String> cache) {
        PartitionFaults owner = keyslot.partitionOf(cache, KEY).kill();
        keyslot.advance(UNTIL_MISSING);
        return owner;
    }

    /** Cuts the first process off from the partition that has the key, until it knows. */
    private PartitionFaults cut(PartitionedCache<String, String> ofFirst) {
        PartitionFaults owner = keyslot.partitionOf(ofFirst, KEY).cut(0);
        for (int i = 0; i < 3; i++) {
            assertThat(ofFirst.get(KEY)).isEqualTo("old");
            keyslot.advance(Duration.ofMillis(500));
        }
        loader.takeAsked();
        return owner;
    }

    private void awaitHealthy(int process, PartitionFaults partition) {
        for (int i = 0; i < 100; i++) {
            keyslot.advance(Duration.ofMillis(500));
            boolean isHealthy = keyslot.cacheManager(process).partitions().stream()
                    .filter(status -> status.id().name().equals(partition.name()))
                    .allMatch(status -> status.state() == PartitionState.HEALTHY);
            if (isHealthy) {
                return;
            }
        }
        throw new AssertionError("not healthy: " + partition);
    }

    private List<PartitionFaults> others(PartitionFaults owner) {
        return keyslot.partitions().stream()
                .filter(partition -> !partition.name().equals(owner.name()))
                .toList();
    }

    @Test
    void getAll_readsAndLoadsAllCopiesAtOnce_andOthersWhereTheyAre() {
        IntStream.range(0, 50).forEach(i -> database.put("k" + i, "v" + i));
        PartitionedCache<String, String> one = cache(0);
        PartitionedCache<String, String> other = cache(1);
        kill(one);

        assertThat(one.getAll(database.keySet())).isEqualTo(database);
        assertThat(loader.takeAsked()).hasSameSizeAs(database.keySet());
        assertThat(other.getAll(database.keySet())).isEqualTo(database);
        database.forEach((key, value) -> assertThat(other.get(key)).isEqualTo(value));
        assertThat(loader.takeAsked()).isEmpty();
    }

    @Test
    void missesThatCoincide_areOneLoadAmongProcesses() {
        List<PartitionedCache<String, String>> caches =
                IntStream.range(0, 6).mapToObj(this::cache).toList();
        kill(caches.get(0));

        keyslot.interleave(caches.stream()
                .<Runnable>map(cache -> () -> assertThat(cache.get(KEY)).isEqualTo("old"))
                .toList());

        assertThat(loader.takeAsked()).hasSize(1);
    }

    /** The partition is missing only for one process, while another one changes the entry. */
    @Test
    void ownerThatIsBack_isRead_andNeverItsCopy() {
        PartitionedCache<String, String> cut = cache(0);
        PartitionedCache<String, String> other = cache(1);
        other.put(KEY, "old");
        PartitionFaults owner = cut(cut);
        keyslot.advance(KEPT);
        assertThat(cut.get(KEY)).isEqualTo("old");
        assertThat(loader.takeAsked()).hasSize(1);

        other.put(KEY, "new");
        assertThat(other.get(KEY)).isEqualTo("new");
        assertThat(cut.get(KEY)).as("a copy").isEqualTo("old");
        owner.mend(0);
        awaitHealthy(0, owner);

        assertThat(cut.get(KEY)).isEqualTo("new");
        assertThat(cut.getAll(Set.of(KEY))).containsEntry(KEY, "new");
        assertThat(loader.takeAsked()).isEmpty();
    }

    @Test
    void ownerThatIsBackWithoutData_isLoadedAgain() {
        PartitionedCache<String, String> cache = cache(0);
        PartitionFaults owner = kill(cache);
        assertThat(cache.get(KEY)).isEqualTo("old");
        database.put(KEY, "new");
        owner.restartEmpty();
        awaitHealthy(0, owner);

        assertThat(cache.get(KEY)).isEqualTo("new");
        owner.kill();
        keyslot.advance(UNTIL_MISSING);
        database.put(KEY, "newest");
        keyslot.advance(KEPT);
        assertThat(cache.get(KEY)).isEqualTo("newest");
    }

    @Test
    void partitionOfTheCopy_mayBeLostToo() {
        PartitionedCache<String, String> one = cache(0);
        PartitionedCache<String, String> other = cache(1);
        PartitionFaults owner = kill(one);
        assertThat(one.get(KEY)).isEqualTo("old");
        List<PartitionFaults> rest = others(owner);
        rest.get(0).kill();
        keyslot.advance(UNTIL_MISSING);
        for (int i = 0; i < 3; i++) {
            assertThat(one.get(KEY)).isEqualTo("old");
            assertThat(other.get(KEY)).isEqualTo("old");
        }
        assertThat(loader.takeAsked()).as("loads at two partitions at most").hasSizeBetween(1, 2);

        rest.get(1).kill();
        keyslot.advance(UNTIL_MISSING);
        for (int i = 0; i < 3; i++) {
            assertThat(one.get(KEY)).isEqualTo("old");
            assertThat(other.getAll(Set.of(KEY))).containsEntry(KEY, "old");
        }
        assertThat(loader.takeAsked()).hasSize(6);
    }

    /** All ways in which an application changes an entry, or tries to. */
    @SuppressWarnings("ImmutableEnumChecker")
    enum Write {
        PUT((cache, key) -> cache.put(key, "new")),
        PUT_ALL((cache, key) -> cache.putAll(Map.of(key, "new"))),
        PUT_IF_ABSENT((cache, key) -> cache.putIfAbsent(key, "new")),
        GET_AND_PUT((cache, key) -> cache.getAndPut(key, "new")),
        REPLACE((cache, key) -> cache.replace(key, "new")),
        REPLACE_OLD((cache, key) -> cache.replace(key, "old", "new")),
        GET_AND_REPLACE((cache, key) -> cache.getAndReplace(key, "new")),
        REMOVE((cache, key) -> cache.remove(key)),
        REMOVE_OLD((cache, key) -> cache.remove(key, "old")),
        GET_AND_REMOVE((cache, key) -> cache.getAndRemove(key)),
        REMOVE_ALL((cache, key) -> cache.removeAll(Set.of(key))),
        REMOVE_ALL_ENTRIES((cache, key) -> cache.removeAll()),
        CLEAR((cache, key) -> cache.clear()),
        INVOKE((cache, key) -> cache.invoke(key, (entry, arguments) -> {
            entry.setValue("new");
            return "done";
        })),
        INVOKE_ALL((cache, key) -> cache.invokeAll(Set.of(key), (entry, arguments) -> {
                    entry.remove();
                    return "done";
                })
                .values()
                .forEach(result -> assertThatThrownBy(result::get).isInstanceOf(EntryProcessorException.class))),
        FAIL_SAFE_REMOVE((cache, key) -> failSafe(cache).remove(key)),
        FAIL_SAFE_CLEAR((cache, key) -> failSafe(cache).clear());

        private final BiConsumer<PartitionedCache<String, String>, String> call;

        Write(BiConsumer<PartitionedCache<String, String>, String> call) {
            this.call = call;
        }

        private void tryOn(PartitionedCache<String, String> cache) {
            try {
                call.accept(cache, KEY);
            } catch (CacheException refused) {
                assertThat(refused).isNotInstanceOf(CacheLoaderException.class);
            }
        }
    }

    @SuppressWarnings("unchecked") // the view has the types of its cache
    private static FailSafeCalls<String, String> failSafe(PartitionedCache<String, String> cache) {
        return cache.unwrap(FailSafeCalls.class);
    }

    @ParameterizedTest
    @EnumSource(Write.class)
    void ownWriteDuringTheOutage_endsTheCopyForThisProcess(Write write) {
        PartitionedCache<String, String> cache = cache(0);
        PartitionedCache<String, String> reader = cache(1);
        PartitionFaults owner = kill(cache);
        assertThat(cache.get(KEY)).isEqualTo("old");
        others(owner)
                .forEach(partition -> partition.refuseWrites(WriteRefusal.NOT_SAVED)); // nor can the copy be removed
        database.put(KEY, "new");

        write.tryOn(cache);

        keyslot.advance(Duration.ofSeconds(2));
        others(owner).forEach(PartitionFaults::acceptWrites);
        assertThat(cache.get(KEY)).isEqualTo("new");
        assertThat(cache.getAll(Set.of(KEY))).containsEntry(KEY, "new");
        reader.get(KEY);
        keyslot.advance(AFTER_A_CHANGE);
        loader.takeAsked();
        for (int i = 0; i < 5; i++) {
            assertThat(cache.get(KEY)).isEqualTo("new");
            assertThat(reader.get(KEY)).isEqualTo("new");
        }
        assertThat(loader.takeAsked()).as("copies are used again").hasSize(1);
    }

    /** Copies of a first outage are there, and another process renews them, as it cannot see the owner. */
    @ParameterizedTest
    @EnumSource(value = Write.class, mode = EnumSource.Mode.EXCLUDE, names = "INVOKE_ALL")
    void ownWriteBetweenTwoOutages_isNotForgottenInTheSecond(Write write) {
        PartitionedCache<String, String> cache = cache(0);
        PartitionFaults owner = cut(cache);
        assertThat(cache.get(KEY)).isEqualTo("old");
        owner.mend(0);
        awaitHealthy(0, owner);
        database.put(KEY, "new");

        write.tryOn(cache);

        owner.kill();
        keyslot.advance(UNTIL_MISSING);
        assertThat(cache.get(KEY)).isEqualTo("new");
        assertThat(cache.getAll(Set.of(KEY))).containsEntry(KEY, "new");
    }

    @Test
    void refusedTransactionOfTheGroup_endsTheCopiesOfItsEntries() {
        EntityKey root = EntityKey.of("customer", 99);
        EntityKey key = EntityKey.of("product", 1).in(root);
        PartitionedCache<EntityKey, String> cache = keyslot.cacheManager()
                .createCache(
                        "product",
                        new PartitionedConfiguration<EntityKey, String>()
                                .setTypes(EntityKey.class, String.class)
                                .setGroupedBy("customer")
                                .setReadThrough(true)
                                .setCacheLoaderFactory(() -> MapLoader.answering(id -> database.get(KEY)))
                                .setGutter(KEPT));
        database.put(KEY, "old");
        keyslot.partitionOf(cache, key).kill();
        keyslot.advance(UNTIL_MISSING);
        assertThat(cache.get(key)).isEqualTo("old");
        database.put(KEY, "new");
        assertThat(cache.get(key)).as("a copy").isEqualTo("old");

        assertThatThrownBy(() -> keyslot.cacheManager()
                        .group(root)
                        .transactWithoutResult(
                                transaction -> transaction.entries(cache).put(key, "new")))
                .isInstanceOf(KeyslotException.class);

        assertThat(cache.get(key)).isEqualTo("new");
    }

    /** The call begins long before the database has the value, and copies from between are still there when it ends. */
    @Test
    void writerThatTakesLong_endsCopiesFromBeforeItHasWritten() {
        PartitionedCache<String, String> reader = cache(1);
        CacheWriter<String, String> writer = new CacheWriter<>() {
            @Override
            public void write(Cache.Entry<? extends String, ? extends String> entry) {
                keyslot.advance(KEPT.plus(KEPT));
                assertThat(reader.get(KEY)).isEqualTo("old");
                database.put(KEY, entry.getValue());
            }

            @Override
            public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
                entries.forEach(this::write);
            }

            @Override
            public void delete(Object key) {}

            @Override
            public void deleteAll(Collection<?> keys) {}
        };
        PartitionedCache<String, String> cache = keyslot.cacheManager()
                .createCache(
                        "product",
                        configuration()
                                .setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL)
                                .setWriteThrough(true)
                                .setCacheWriterFactory(() -> writer));
        kill(cache);

        cache.put(KEY, "new");

        assertThat(cache.get(KEY)).isEqualTo("new");
    }

    @Test
    void refusedWrite_removesTheCopyForOthers() {
        PartitionedCache<String, String> cache = cache(0);
        PartitionedCache<String, String> other = cache(1);
        kill(cache);
        assertThat(other.get(KEY)).isEqualTo("old");
        database.put(KEY, "new");

        assertThatThrownBy(() -> cache.remove(KEY)).isInstanceOf(KeyslotException.class);
        keyslot.advance(Duration.ofMillis(10));

        assertThat(other.get(KEY)).isEqualTo("new");
    }

    /** The load began before the write, and ends after it. */
    @Test
    void loadThatIsUnderWayDuringAWrite_leavesNoCopy() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        MapLoader<String, String> slow = MapLoader.answering(key -> {
            String value = database.get(key);
            meanwhile.getAndSet(() -> {}).run();
            return value;
        });
        PartitionedCache<String, String> cache = cache(0);
        PartitionedCache<String, String> other =
                keyslot.cacheManager(1).createCache("product", configuration().setCacheLoaderFactory(() -> slow));
        kill(cache);
        meanwhile.set(() -> {
            database.put(KEY, "new");
            assertThatThrownBy(() -> cache.put(KEY, "new")).isInstanceOf(KeyslotException.class);
            keyslot.advance(Duration.ofMillis(10));
        });

        assertThat(other.get(KEY)).isEqualTo("old");
        assertThat(other.get(KEY)).isEqualTo("new");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ended", "half"})
    void timeOfACopy_beginsWithItsLoad(String how) {
        Duration takes = how.equals("ended") ? KEPT : KEPT.dividedBy(2);
        MapLoader<String, String> slow = MapLoader.answering(key -> {
            String value = database.get(key);
            keyslot.advance(takes);
            return value;
        });
        PartitionedCache<String, String> cache =
                keyslot.cacheManager().createCache("product", configuration().setCacheLoaderFactory(() -> slow));
        kill(cache);

        assertThat(cache.get(KEY)).isEqualTo("old");
        database.put(KEY, "new");
        assertThat(cache.get(KEY)).isEqualTo(how.equals("ended") ? "new" : "old");
        keyslot.advance(KEPT.dividedBy(2));
        assertThat(cache.get(KEY)).isEqualTo("new");
    }

    @Test
    void keyWithoutAValue_isLoadedAgain_unlessThatIsRemembered() {
        PartitionedCache<String, String> cache = cache(0);
        kill(cache);
        database.clear();
        assertThat(cache.get(KEY)).isNull();
        assertThat(cache.getAll(Set.of(KEY))).isEmpty();
        assertThat(loader.takeAsked()).hasSize(2);
    }

    @Test
    void keyWithoutAValue_isRemembered_asLongAsACopy() {
        PartitionedCache<String, String> cache = keyslot.cacheManager()
                .createCache(
                        "product",
                        configuration()
                                .setLoading(LoadingOptions.defaults().withNegativeTimeToLive(Duration.ofHours(1))));
        kill(cache);
        database.clear();
        for (int i = 0; i < 3; i++) {
            assertThat(cache.get(KEY)).isNull();
            assertThat(cache.getAll(Set.of(KEY))).isEmpty();
        }
        assertThat(loader.takeAsked()).hasSize(1);
        database.put(KEY, "there now");
        keyslot.advance(KEPT);
        assertThat(cache.get(KEY)).isEqualTo("there now");
    }

    @Test
    void methodsOfTheApplication_areCalledOnceToo() throws Exception {
        PartitionedCache<String, String> one = cache(0);
        PartitionedCache<String, String> other = cache(1);
        kill(one);
        assertThat(failSafe(one).load(KEY, () -> "of its method")).isEqualTo("of its method");
        assertThat(failSafe(other).load(KEY, () -> "of another")).isEqualTo("of its method");
        assertThat(failSafe(other).get(KEY)).isEqualTo("of its method");
        assertThat(loader.takeAsked()).isEmpty();
    }

    @Test
    void failureOfTheLoader_isNotKept() {
        List<RuntimeException> failures = new ArrayList<>(List.of(new IllegalStateException("of the database")));
        MapLoader<String, String> failing = MapLoader.answering(key -> {
            if (!failures.isEmpty()) {
                throw failures.remove(0);
            }
            return "old";
        });
        PartitionedCache<String, String> cache =
                keyslot.cacheManager().createCache("product", configuration().setCacheLoaderFactory(() -> failing));
        kill(cache);

        assertThatThrownBy(() -> cache.get(KEY)).isInstanceOf(CacheLoaderException.class);
        assertThat(cache.get(KEY)).isEqualTo("old");
        assertThat(cache.get(KEY)).isEqualTo("old");
        assertThat(failing.takeAsked()).hasSize(2);
    }

    @Test
    void ttlOfTheCache_limitsCopies() {
        PartitionedCache<String, String> none = keyslot.cacheManager()
                .createCache(
                        "product",
                        configuration()
                                .setExpiryPolicyFactory(
                                        CreatedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ZERO)));
        kill(none);
        assertThat(none.get(KEY)).isEqualTo("old");
        assertThat(none.get(KEY)).isEqualTo("old");
        assertThat(loader.takeAsked()).hasSize(2);
    }

    @Test
    void ttlOfALoadedValue_limitsItsCopy() {
        PartitionedConfiguration<String, String> timed = configuration();
        timed.setCacheLoaderFactory(() ->
                LoadedValue.loader(id -> new LoadedValue<>(String.valueOf(loader.load(id)), Duration.ofSeconds(2))));
        PartitionedCache<String, String> cache = keyslot.cacheManager().createCache("product", timed);
        kill(cache);
        assertThat(cache.get(KEY)).isEqualTo("old");
        keyslot.advance(Duration.ofSeconds(1));
        assertThat(cache.get(KEY)).isEqualTo("old");
        assertThat(loader.takeAsked()).hasSize(1);
        keyslot.advance(Duration.ofSeconds(2));
        assertThat(cache.get(KEY)).isEqualTo("old");
        assertThat(loader.takeAsked()).hasSize(1);
    }

    /** An entry would be served for longer. */
    @Test
    void copies_areNeverStale() {
        PartitionedCache<String, String> cache = keyslot.cacheManager()
                .createCache(
                        "product",
                        configuration()
                                .setTimeToLive(Duration.ofSeconds(3))
                                .setLoading(LoadingOptions.defaults()
                                        .withStaleIfError(Duration.ofHours(1))
                                        .withStaleWhileRevalidate(Duration.ofHours(1))));
        kill(cache);
        assertThat(cache.get(KEY)).isEqualTo("old");
        database.put(KEY, "new");
        keyslot.advance(Duration.ofSeconds(4));
        assertThat(cache.get(KEY)).isEqualTo("new");
    }

    @Test
    void listeners_doNotSeeCopies() {
        Set<String> created = new LinkedHashSet<>();
        PartitionedCache<String, String> cache = cache(0);
        CacheEntryCreatedListener<String, String> listener =
                events -> events.forEach(event -> created.add(event.getKey()));
        cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(
                new FactoryBuilder.SingletonFactory<>(listener), null, false, true));
        kill(cache);
        assertThat(cache.get(KEY)).isEqualTo("old");
        assertThat(cache.get(KEY)).isEqualTo("old");
        assertThat(loader.takeAsked()).hasSize(1);
        assertThat(created).isEmpty();
    }

    @Nested
    class Configured {
        private void refused(Consumer<PartitionedConfiguration<String, String>> change, String message) {
            PartitionedConfiguration<String, String> wrong = configuration();
            change.accept(wrong);
            assertThatThrownBy(() -> keyslot.cacheManager().createCache("product", wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Cache product: it has a gutter")
                    .hasMessageContaining(message);
        }

        @Test
        void withoutLoads_isRefused() {
            refused(wrong -> wrong.setReadThrough(false), "set a loader, readThrough and missingPartition LOADER");
            refused(wrong -> wrong.setMissingPartition(MissingPartitionPolicy.MISS), "missingPartition LOADER");
            refused(wrong -> wrong.setMissingPartition(MissingPartitionPolicy.FAIL), "missingPartition LOADER");
        }

        @Test
        void withRawValuesOrWriteBehind_isRefused() {
            refused(wrong -> wrong.setLayout(ValueLayout.RAW), "raw values");
            refused(
                    wrong -> wrong.setWriteThrough(true)
                            .setCacheWriterFactory(() -> null)
                            .setWriteBehind(WriteBehindOptions.defaults()),
                    "leave gutter or writeBehind out");
        }

        @Test
        void time_isBounded() {
            PartitionedConfiguration<String, String> wrong = configuration();
            assertThatThrownBy(() -> wrong.setGutter(Duration.ofMillis(999)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("gutter is PT0.999S, must be from PT1S to PT5M");
            assertThatThrownBy(() -> wrong.setGutter(Duration.ofSeconds(301)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(wrong.getGutter()).isEqualTo(KEPT);
            assertThat(new PartitionedConfiguration<>(wrong)).isEqualTo(wrong);
            assertThat(new PartitionedConfiguration<>(wrong).setGutter(KEPT.plusMillis(1)))
                    .isNotEqualTo(wrong);
        }
    }
}
