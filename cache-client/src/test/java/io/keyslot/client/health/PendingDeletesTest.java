// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PendingDeletesTest {
    private static final EncodedKey A = EncodedKey.of("customer:1");
    private final PendingDeletes pendingDeletes = new PendingDeletes();

    private static List<EncodedKey> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> EncodedKey.of("sale:" + i))
                .toList();
    }

    private PendingDeletes.Batch next() {
        return pendingDeletes.next().orElseThrow();
    }

    @Test
    void oneKeyTooMany_meansEverything() {
        pendingDeletes.add(keys(PendingDeletes.MOST_KEYS));

        assertThat(pendingDeletes.add(List.of(A))).isFalse();
        assertThat(next().isEverything()).isTrue();
        assertThat(pendingDeletes.size()).isEqualTo(PendingDeletes.MOST_KEYS);
        assertThat(pendingDeletes.isDoneUpTo(0)).isFalse();
    }

    /**
     * Against a partition that knows which of its values are stale: an addition says that the key's value is, an executed
     * batch removes the values. A batch is executed some time after it was taken, and confirmed later still, or never.
     */
    @Nested
    class Model {
        @Test
        void randomSchedules_leaveNoStaleValue() {
            for (long seed = 0; seed < 500; seed++) {
                Schedule schedule = new Schedule(seed, keys(seed % 50 == 0 ? PendingDeletes.MOST_KEYS + 100 : 30));
                schedule.run();
                assertThat(schedule.stale).as("seed %d", seed).isEmpty();
            }
        }

        @Test
        void additionsBySeveralThreads_leaveNoStaleValue() {
            Set<EncodedKey> stale = ConcurrentHashMap.newKeySet();
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                Random random = new Random(thread);
                threads.add(CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        EncodedKey key = EncodedKey.of("sale:" + random.nextInt(100));
                        stale.add(key);
                        pendingDeletes.add(List.of(key));
                        pendingDeletes.next().ifPresent(batch -> {
                            stale.removeAll(batch.keys());
                            pendingDeletes.confirm(batch);
                        });
                    }
                }));
            }
            threads.forEach(CompletableFuture::join);
            for (Optional<PendingDeletes.Batch> left = pendingDeletes.next();
                    left.isPresent();
                    left = pendingDeletes.next()) {
                stale.removeAll(left.get().keys());
                pendingDeletes.confirm(left.get());
            }

            assertThat(stale).isEmpty();
            assertThat(pendingDeletes.size()).isZero();
        }
    }

    /** One random schedule, on one thread. */
    private static final class Schedule {
        final Set<EncodedKey> stale = new HashSet<>();
        private final PendingDeletes pendingDeletes = new PendingDeletes();
        private final Random random;
        private final List<EncodedKey> all;
        private final List<PendingDeletes.Batch> taken = new ArrayList<>();
        private final List<PendingDeletes.Batch> executed = new ArrayList<>();

        Schedule(long seed, List<EncodedKey> all) {
            this.random = new Random(seed);
            this.all = all;
        }

        void run() {
            for (int step = 0; step < 100; step++) {
                step();
            }
            for (Optional<PendingDeletes.Batch> left = pendingDeletes.next();
                    left.isPresent();
                    left = pendingDeletes.next()) {
                execute(left.get());
                pendingDeletes.confirm(left.get());
            }
        }

        private void step() {
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    int from = random.nextInt(all.size());
                    List<EncodedKey> some = all.subList(from, from + random.nextInt(all.size() - from) + 1);
                    stale.addAll(some);
                    pendingDeletes.add(some);
                }
                case 2 -> pendingDeletes.next().ifPresent(taken::add);
                case 3 -> oneOf(taken).ifPresent(this::execute);
                default -> oneOf(executed).ifPresent(pendingDeletes::confirm);
            }
        }

        private void execute(PendingDeletes.Batch batch) {
            if (batch.isEverything()) {
                stale.clear();
            } else {
                batch.keys().forEach(stale::remove);
            }
            executed.add(batch);
        }

        private Optional<PendingDeletes.Batch> oneOf(List<PendingDeletes.Batch> batches) {
            return batches.isEmpty() ? Optional.empty() : Optional.of(batches.remove(random.nextInt(batches.size())));
        }
    }
}
