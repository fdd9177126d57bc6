// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearValues;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.jcache.MapLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import javax.cache.integration.CompletionListenerFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Near copies where partitions are missing, or are silent: what this process has said or heard of an entry is not unsaid. */
class NearMissingTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration UNTIL_KNOWN = Duration.ofSeconds(10);
    private static final int KEYS = 20;

    /** By so much pauses between attempts differ. */
    private static final Duration CHANCE = Duration.ofMillis(100);

    private static EmbeddedKeyslot start() {
        return EmbeddedKeyslot.start(
                KeyslotSettings.defaults().withPartitions(2).withProperty("keyslot.metrics", "false"));
    }

    private static PartitionedCache<String, String> cache(EmbeddedKeyslot keyslot, int process, boolean isNear) {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, String.class);
        configuration.setMissingPartition(MissingPartitionPolicy.MISS);
        if (isNear) {
            configuration.setNear(NearOptions.ofEntries(100).withWhenMissing(LONG));
        }
        PartitionedCache<String, String> cache = keyslot.cacheManager(process).createCache("rates", configuration);
        keyslot.advance(Duration.ofMillis(1)); // until the probes were told
        return cache;
    }

    @SuppressWarnings("unchecked") // the view has the types of its cache
    private static FailSafeCalls<String, String> failSafe(PartitionedCache<String, String> cache) {
        return cache.unwrap(FailSafeCalls.class);
    }

    @Test
    void copies_areServedWhereAllPartitionsAreMissing() {
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<String, String> cache = cache(keyslot, 0, true);
            cache.putAll(Map.of("a", "1", "b", "2"));
            cache.getAll(Set.of("a", "b"));

            keyslot.partitions().forEach(PartitionFaults::kill);
            keyslot.advance(UNTIL_KNOWN);

            for (int i = 0; i < 3; i++) {
                assertThat(cache.get("a")).isEqualTo("1");
                assertThat(cache.getAll(Set.of("a", "b"))).isEqualTo(Map.of("a", "1", "b", "2"));
            }
        }
    }

    /** The code of docs/near-cache.md. */
    @Test
    void preloadedEntries_areServedWhileAllPartitionsAreMissing() throws InterruptedException, ExecutionException {
        try (EmbeddedKeyslot keyslot = start()) {
            AtomicInteger loads = new AtomicInteger();
            PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
            configuration.setTypes(String.class, String.class);
            configuration.setReadThrough(true);
            configuration.setCacheLoaderFactory(() -> MapLoader.answering(code -> {
                loads.incrementAndGet();
                return code + " loaded";
            }));
            configuration.setNear(
                    NearOptions.ofEntries(1_000).withValues(NearValues.SHARED).withWhenMissing(Duration.ofHours(1)));
            PartitionedCache<String, String> countries = keyslot.cacheManager().createCache("country", configuration);
            keyslot.advance(Duration.ofMillis(1)); // until the connections are tested

            Set<String> codes = Set.of("de", "fr", "it");
            CompletionListenerFuture loaded = new CompletionListenerFuture();
            countries.loadAll(codes, false, loaded);
            keyslot.advance(Duration.ofMillis(1)); // on the kit's clock
            loaded.get();
            countries.getAll(codes);

            keyslot.partitions().forEach(PartitionFaults::kill);
            keyslot.advance(Duration.ofMinutes(59));
            codes.forEach(code -> assertThat(countries.get(code)).isEqualTo(code + " loaded"));
            assertThat(loads).hasValue(codes.size());

            keyslot.advance(Duration.ofMinutes(2));
            assertThat(countries.get("de")).isEqualTo("de loaded");
            assertThat(loads).as("the loader answers in the end").hasValue(codes.size() + 1);
        }
    }

    private static @Nullable String read(PartitionedCache<String, String> cache, boolean isTogether) {
        return isTogether ? cache.getAll(Set.of("a")).get("a") : cache.get("a");
    }

    @Test
    void evictionOfAll_endsTheCopiesOfAMissingPartitionToo() {
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<String, String> cache = cache(keyslot, 0, true);
            for (int i = 0; i < KEYS; i++) {
                cache.put("k" + i, "old");
                cache.get("k" + i);
            }
            keyslot.partitions().forEach(PartitionFaults::kill);
            assertThat(cache.get("k1")).isEqualTo("old");

            failSafe(cache).clear();

            for (int i = 0; i < KEYS; i++) {
                assertThat(cache.get("k" + i)).isNull();
            }
        }
    }

    /** Nothing is sent for a thread that is interrupted, but what its change would have replaced is forgotten. */
    @Test
    void changeThatWasNotSent_endsTheCopyAtOnce() {
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<String, String> cache = cache(keyslot, 0, true);
            cache.put("a", "old");
            assertThat(cache.get("a")).isEqualTo("old");
            keyslot.partitionOf(cache, "a").slow(0, Duration.ofMillis(100));

            Thread.currentThread().interrupt();
            failSafe(cache).remove("a");
            assertThat(Thread.interrupted()).isTrue();

            assertThat(cache.get("a")).isNull();
        }
    }

    /** What befalls the owner, as the reader sees it. */
    @SuppressWarnings("ImmutableEnumChecker")
    enum Trouble {
        SILENT((keyslot, owner) -> owner.cut(0)),
        FROZEN((keyslot, owner) -> owner.freeze()),
        LOST_AND_SILENT((keyslot, owner) -> owner.resetConnections().cut(0)),
        LOST_AND_SILENT_DURING_A_READ((keyslot, owner) -> {
            owner.slow(0, Duration.ofMillis(20));
            keyslot.after(Duration.ofMillis(10), () -> owner.resetConnections().cut(0));
        }),
        GONE((keyslot, owner) -> owner.kill());

        private final BiConsumer<EmbeddedKeyslot, PartitionFaults> begin;

        Trouble(BiConsumer<EmbeddedKeyslot, PartitionFaults> begin) {
            this.begin = begin;
        }
    }

    /** What a process finds, and after how long. */
    private record Read(String found, long millis) {}

    private static List<Read> reads(Trouble trouble, boolean isNear, boolean isTogether) {
        List<Read> reads = new ArrayList<>();
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<String, String> reader = cache(keyslot, 0, isNear);
            cache(keyslot, 1, false).put("a", "1");
            keyslot.advance(Duration.ofSeconds(1));

            trouble.begin.accept(keyslot, keyslot.partitionOf(reader, "a"));
            for (int i = 0; i < KEYS; i++) {
                Duration before = keyslot.elapsed();
                String found = String.valueOf(read(reader, isTogether));
                reads.add(new Read(found, keyslot.elapsed().minus(before).toMillis()));
                keyslot.advance(Duration.ofMillis(100));
            }
        }
        return reads;
    }

    @ParameterizedTest
    @EnumSource
    void ownerThatDoesNotAnswer_isWaitedForAsWithoutANearCache(Trouble trouble) {
        for (boolean isTogether : new boolean[] {false, true}) {
            List<Read> plain = reads(trouble, false, isTogether);
            List<Read> near = reads(trouble, true, isTogether);

            assertThat(near)
                    .extracting(Read::found)
                    .isEqualTo(plain.stream().map(Read::found).toList());
            for (int i = 0; i < KEYS; i++) {
                assertThat(near.get(i).millis())
                        .as("%s and %s", near, plain)
                        .isLessThanOrEqualTo(plain.get(i).millis() + CHANCE.toMillis());
            }
            assertThat(plain).contains(new Read("null", 0));
        }
    }
}
