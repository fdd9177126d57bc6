// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissCause;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.cache.expiry.CreatedExpiryPolicy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code explain} says of misses of entries that expire, in virtual time. */
class MissExplanationTest {
    @AutoClose
    private final EmbeddedKeyslot keyslot =
            EmbeddedKeyslot.start(KeyslotSettings.defaults().withPartitions(2));

    private final PartitionedCache<String, String> cache = cache(0);
    private final PartitionedCache<String, String> other = cache(1);

    @SuppressWarnings("unchecked")
    private PartitionedCache<String, String> cache(int process) {
        PartitionedConfiguration<String, String> configuration =
                new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
        configuration.setExpiryPolicyFactory(
                CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.MINUTES, 2)));
        return keyslot.cacheManager(process)
                .createCache("created", configuration)
                .unwrap(PartitionedCache.class);
    }

    private MissCause causeOfAMiss(String key) {
        assertThat(cache.get(key)).isNull();
        return Objects.requireNonNull(cache.explain(key).lastMiss());
    }

    @Test
    void entryWhoseUpdatesKeepItsExpiry_hasExpired() {
        // The second time, each is created in place of one that has expired.
        for (int i = 0; i < 2; i++) {
            cache.put("put", "v");
            cache.put("changed", "v");
            keyslot.advance(Duration.ofMinutes(1));
            cache.put("put", "w");
            cache.invoke("changed", (entry, arguments) -> {
                entry.setValue("w");
                return null;
            });
            keyslot.advance(Duration.ofSeconds(61));
        }

        assertThat(causeOfAMiss("put")).isEqualTo(MissCause.EXPIRED);
        assertThat(causeOfAMiss("changed")).isEqualTo(MissCause.EXPIRED);
    }

    @Test
    void entryInPlaceOfOneThatHasExpired_isExplainedByItsOwnExpiry() {
        cache.put("key", "v");
        keyslot.advance(Duration.ofMinutes(3));
        cache.put("key", "w");
        other.remove("key");

        assertThat(causeOfAMiss("key")).isEqualTo(MissCause.EVICTED_OR_REMOVED_ELSEWHERE);
    }

    /** Random calls; after each, a read misses for the reason that the calls before it give. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void missesAfterRandomCalls_areExplained(long seed) {
        Random random = new Random(seed);
        MissCause expected = MissCause.NEVER_LOADED;
        Duration left = Duration.ZERO; // zero for no entry
        for (int step = 0; step < 200; step++) {
            boolean isPresent = !left.isZero();
            switch (random.nextInt(6)) {
                case 0 -> cache.put("key", "v" + step);
                case 1 ->
                    cache.invoke("key", (entry, arguments) -> {
                        entry.setValue("w");
                        return null;
                    });
                case 2 -> {
                    Duration time = Duration.ofSeconds(1 + random.nextInt(90));
                    keyslot.advance(time);
                    boolean isOver = isPresent && left.compareTo(time) <= 0;
                    left = isPresent && !isOver ? left.minus(time) : Duration.ZERO;
                    expected = isOver ? MissCause.EXPIRED : expected;
                    continue;
                }
                case 3 -> {
                    if (!isPresent) {
                        assertThat(causeOfAMiss("key")).as("step %d", step).isEqualTo(expected);
                    }
                    continue;
                }
                case 4 -> {
                    cache.remove("key");
                    left = Duration.ZERO;
                    expected = MissCause.REMOVED;
                    continue;
                }
                default -> {
                    if (isPresent) {
                        other.remove("key");
                        left = Duration.ZERO;
                        expected = MissCause.EVICTED_OR_REMOVED_ELSEWHERE;
                        assertThat(causeOfAMiss("key")).as("step %d", step).isEqualTo(expected);
                    }
                    continue;
                }
            }
            left = isPresent ? left : Duration.ofMinutes(2);
        }
    }
}
