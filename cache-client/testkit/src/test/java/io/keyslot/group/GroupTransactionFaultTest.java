// SPDX-License-Identifier: Apache-2.0
package io.keyslot.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupView;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.PartitionFaults;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Group transactions while their partition fails, in virtual time. */
class GroupTransactionFaultTest {
    private static final EntityKey ROOT = EntityKey.of("customer", 99);

    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start();

    private final CacheGroup group = keyslot.cacheManager().group(ROOT);
    private final CacheGroup elsewhere = keyslot.cacheManager(1).group(ROOT);
    private final PartitionFaults partition =
            keyslot.partition(group.partition().name());
    private final AtomicInteger runs = new AtomicInteger();

    private static RemoteHash<String, Long> accounts(GroupView view) {
        return view.hash("accounts", String.class, Long.class);
    }

    /** Adds one, and lets something happen in the first run when the work is done: at the commit. */
    private long incrementWith(Runnable fault) {
        return group.transact(transaction -> {
            long next = accounts(transaction).increment("a", 1);
            if (runs.getAndIncrement() == 0) {
                fault.run();
            }
            return next;
        });
    }

    private void awaitHealthy() {
        keyslot.advance(Duration.ofSeconds(5));
    }

    /** Lets what is sent now be executed and its answer be lost with the connection, after something has happened. */
    private void loseAnswer(Runnable meanwhile) {
        partition.slow(Duration.ofMillis(20));
        keyslot.after(Duration.ofMillis(15), () -> {
            partition.slow(Duration.ZERO);
            meanwhile.run();
            partition.resetConnections();
        });
    }

    @Nested
    class UnknownOutcome {
        @Test
        void commitThatWasApplied_isFoundByItsStamp() {
            accounts(group).put("a", 1L);

            long next = incrementWith(() -> loseAnswer(() -> {}));

            assertThat(next).isEqualTo(2);
            assertThat(runs).hasValue(1);
            assertThat(accounts(group).get("a")).isEqualTo(2);
        }

        @Test
        void commitThatIsNotAnsweredInTime_isFoundByItsStamp() {
            accounts(group).put("a", 1L);

            long next = incrementWith(() -> partition.dropReplies(2));

            assertThat(next).isEqualTo(2);
            assertThat(runs).hasValue(1);
            assertThat(accounts(elsewhere).get("a")).isEqualTo(2);
        }

        @Test
        void commitThatWasAppliedToSomethingNew_isFoundByItsStamp() {
            assertThat(incrementWith(() -> loseAnswer(() -> {}))).isEqualTo(1);

            assertThat(runs).hasValue(1);
            assertThat(accounts(group).get("a")).isEqualTo(1);
        }

        @Test
        void commitThatWasApplied_isFoundThoughSomeOfItWasOverwritten() {
            accounts(group).put("a", 1L);

            group.transactWithoutResult(transaction -> {
                accounts(transaction).increment("a", 1);
                transaction.counter("visits").incrementAndGet();
                if (runs.getAndIncrement() == 0) {
                    loseAnswer(() -> accounts(elsewhere).put("a", 50L));
                }
            });

            assertThat(runs).hasValue(1);
            assertThat(accounts(group).get("a")).isEqualTo(50);
            assertThat(group.counter("visits").get()).isEqualTo(1);
        }

        @Test
        void commitOfWhichNothingIsLeft_isUnknown() {
            assertThatThrownBy(() -> incrementWith(
                            () -> loseAnswer(() -> accounts(elsewhere).delete())))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining(ROOT.text());
        }

        @Test
        void commitThatNeverArrived_isDoneAgain() {
            accounts(group).put("a", 1L);

            long next = incrementWith(() -> {
                partition.slow(Duration.ofMillis(40));
                keyslot.after(
                        Duration.ofMillis(10),
                        () -> partition.resetConnections().slow(Duration.ZERO));
            });

            assertThat(next).isEqualTo(2);
            assertThat(runs).hasValue(2);
            assertThat(accounts(elsewhere).get("a")).isEqualTo(2);
        }

        @Test
        void partitionThatStaysSilent_leavesItUnknown() {
            accounts(group).put("a", 1L);

            assertThatThrownBy(() -> incrementWith(partition::freeze)).isInstanceOf(OutcomeUnknownException.class);
            assertThat(keyslot.elapsed()).isLessThan(Duration.ofSeconds(1));
        }
    }

    @Nested
    class Lost {
        @Test
        void partitionRestartedEmptyBetween_isSeenEmpty() {
            accounts(group).put("a", 41L);

            long next = incrementWith(() -> {
                partition.restartEmpty();
                awaitHealthy();
            });

            assertThat(next).isEqualTo(1);
            assertThat(runs).hasValue(2);
        }
    }

    @Nested
    class Expiring {
        @Test
        void entryThatExpiresInTheMiddle_isSeenAsGone() {
            PartitionedCache<EntityKey, String> cache = keyslot.cacheManager()
                    .createCache(
                            "order",
                            new PartitionedConfiguration<EntityKey, String>()
                                    .setTypes(EntityKey.class, String.class)
                                    .setGroupedBy("customer"));
            EntityKey key = EntityKey.of("order", 1).in(ROOT);
            cache.put(key, "open", Duration.ofSeconds(1));

            boolean stored = group.transact(transaction -> {
                boolean absent = transaction.entries(cache).putIfAbsent(key, "new");
                transaction.counter("visits").incrementAndGet();
                if (runs.getAndIncrement() == 0) {
                    keyslot.advance(Duration.ofSeconds(2));
                }
                return absent;
            });

            assertThat(stored).isTrue();
            assertThat(runs).hasValue(2);
            assertThat(cache.get(key)).isEqualTo("new");
        }
    }

    @Nested
    class RoundTrips {
        private static final Duration ROUND_TRIP = Duration.ofMillis(10);

        private Duration timeOf(Runnable call) {
            partition.slow(ROUND_TRIP);
            Duration before = keyslot.elapsed();
            call.run();
            return keyslot.elapsed().minus(before);
        }

        @Test
        void twentyPuts_areOne() {
            PartitionedCache<EntityKey, String> cache = keyslot.cacheManager()
                    .createCache(
                            "order",
                            new PartitionedConfiguration<EntityKey, String>()
                                    .setTypes(EntityKey.class, String.class)
                                    .setGroupedBy("customer"));

            Duration time = timeOf(() -> group.transactWithoutResult(transaction -> {
                for (int i = 0; i < 20; i++) {
                    transaction.entries(cache).put(EntityKey.of("order", i).in(ROOT), "open");
                }
            }));

            assertThat(time).isEqualTo(ROUND_TRIP);
            assertThat(cache.get(EntityKey.of("order", 19).in(ROOT))).isEqualTo("open");
        }

        @Test
        void secondRun_readsEverythingTogether() {
            for (int i = 0; i < 20; i++) {
                group.counter("counter" + i).set(i);
            }

            Duration time = timeOf(() -> group.transactWithoutResult(transaction -> {
                for (int i = 0; i < 20; i++) {
                    transaction.counter("counter" + i).get();
                    if (i == 18 && runs.getAndIncrement() == 0) {
                        elsewhere.counter("counter0").set(100);
                    }
                }
            }));

            // 20 reads of which the last finds the conflict, the other's write, a pause, and one read of all.
            assertThat(time)
                    .isBetween(
                            ROUND_TRIP.multipliedBy(22),
                            ROUND_TRIP.multipliedBy(22).plusMillis(1));
            assertThat(runs).hasValue(2);
        }
    }

    @Test
    void othersThatAreAlwaysFaster_endItAfterAWhile() {
        assertThatThrownBy(() -> group.transactWithoutResult(transaction -> {
                    accounts(transaction).increment("a", 1);
                    CompletableFuture.runAsync(() -> accounts(elsewhere).increment("a", 1))
                            .join();
                    keyslot.advance(Duration.ofSeconds(1));
                    runs.incrementAndGet();
                }))
                .isInstanceOf(CacheOverloadedException.class)
                .hasMessageContaining(ROOT.text());

        assertThat(runs.get()).isBetween(5, 20);
        assertThat(accounts(group).get("a")).isEqualTo(runs.get());
    }
}
