// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.entry.ForgivingCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static PartitionedCache<String, String> cache(
            EmbeddedKeyslot keyslot, int process, boolean isNear, boolean isReplicated) {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, String.class);
        configuration.setMissingPartitionPolicy(MissingPartitionPolicy.MISS);
        configuration.setReplicated(isReplicated);
        if (isNear) {
            configuration.setNear(NearOptions.ofEntries(100).withWhenMissing(LONG));
        }
        PartitionedCache<String, String> cache = keyslot.cacheManager(process).createCache("rates", configuration);
        keyslot.advance(Duration.ofMillis(1)); // until the probes were told
        return cache;
    }

    @SuppressWarnings("unchecked") // the view has the types of its cache
    private static ForgivingCalls<String, String> forgiving(PartitionedCache<String, String> cache) {
        return cache.unwrap(ForgivingCalls.class);
    }

    @Test
    void copiesOfAReplicatedCache_areServedWhereAllPartitionsAreMissing() {
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<String, String> cache = cache(keyslot, 0, true, true);
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

    /** The owner cannot be asked, and has told of nothing: what another one has said is newer than the copy. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAnotherPartitionHasSaid_endsTheCopy(boolean isTogether) {
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<String, String> reader = cache(keyslot, 0, true, true);
            PartitionedCache<String, String> writer = cache(keyslot, 1, false, true);
            writer.put("a", "old");
            assertThat(reader.get("a")).isEqualTo("old");

            PartitionFaults owner = keyslot.partitionOf(writer, "a");
            String another = IntStream.range(0, KEYS)
                    .mapToObj(i -> "k" + i)
                    .filter(key -> keyslot.partitionOf(writer, key).equals(owner))
                    .findFirst()
                    .orElseThrow();
            owner.cut(0);
            writer.put("a", "new");
            for (int i = 0; i < 5; i++) {
                reader.get(another); // until it is known that the owner is missing
            }
            keyslot.advance(UNTIL_KNOWN);
            assertThat(read(reader, isTogether)).isEqualTo("new");

            keyslot.partitions().forEach(partition -> partition.cut(0));
            for (int i = 0; i < 10; i++) {
                assertThat(read(reader, isTogether)).isNotEqualTo("old");
                keyslot.advance(Duration.ofSeconds(1));
            }
        }
    }

    private static @Nullable String read(PartitionedCache<String, String> cache, boolean isTogether) {
        return isTogether ? cache.getAll(Set.of("a")).get("a") : cache.get("a");
    }

    @Test
    void evictionOfAll_endsTheCopiesOfAMissingPartitionToo() {
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<String, String> cache = cache(keyslot, 0, true, false);
            for (int i = 0; i < KEYS; i++) {
                cache.put("k" + i, "old");
                cache.get("k" + i);
            }
            keyslot.partitions().forEach(PartitionFaults::kill);
            assertThat(cache.get("k1")).isEqualTo("old");

            forgiving(cache).clear();

            for (int i = 0; i < KEYS; i++) {
                assertThat(cache.get("k" + i)).isNull();
            }
        }
    }

    /** Nothing is sent for a thread that is interrupted, but what its change would have replaced is forgotten. */
    @Test
    void changeThatWasNotSent_endsTheCopyAtOnce() {
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<String, String> cache = cache(keyslot, 0, true, false);
            cache.put("a", "old");
            assertThat(cache.get("a")).isEqualTo("old");
            keyslot.partitionOf(cache, "a").slow(0, Duration.ofMillis(100));

            Thread.currentThread().interrupt();
            forgiving(cache).remove("a");
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

    /** What a process finds in a replicated cache, and after how long. */
    private record Read(String found, long millis) {}

    private static List<Read> reads(Trouble trouble, boolean isNear, boolean isTogether) {
        List<Read> reads = new ArrayList<>();
        try (EmbeddedKeyslot keyslot = start()) {
            PartitionedCache<String, String> reader = cache(keyslot, 0, isNear, true);
            cache(keyslot, 1, false, true).put("a", "1");
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
            assertThat(plain).contains(new Read("1", 0));
        }
    }
}
