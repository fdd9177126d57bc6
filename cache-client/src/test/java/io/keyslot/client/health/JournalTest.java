// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
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

class JournalTest {
    private static final EncodedKey A = EncodedKey.of("customer:1");
    private static final EncodedKey B = EncodedKey.of("customer:2");

    private final Journal journal = new Journal();

    private static List<EncodedKey> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> EncodedKey.of("sale:" + i))
                .toList();
    }

    private Journal.Batch next() {
        return journal.next().orElseThrow();
    }

    @Nested
    class Next {
        @Test
        void emptyJournal_hasNone() {
            assertThat(journal.next()).isEmpty();
        }

        @Test
        void batch_holdsTheOldestKeysAndStaysUntilItIsConfirmed() {
            journal.add(keys(Journal.MOST_KEYS_OF_A_BATCH + 1));
            Journal.Batch batch = next();

            assertThat(batch.command()).isEqualTo(new Command.RemoveAll(keys(Journal.MOST_KEYS_OF_A_BATCH)));
            assertThat(next()).isEqualTo(batch);
            assertThat(journal.confirm(batch)).isEqualTo(Journal.MOST_KEYS_OF_A_BATCH);
            assertThat(journal.size()).isEqualTo(1);
        }

        @Test
        void keyThatIsAddedAgain_goesToTheEnd() {
            journal.add(List.of(A, B, A));

            assertThat(next().command()).isEqualTo(new Command.RemoveAll(List.of(B, A)));
        }
    }

    @Nested
    class Confirm {
        @Test
        void keyThatWasAddedAgainSince_stays() {
            journal.add(List.of(A, B));
            Journal.Batch batch = next();
            journal.add(List.of(A));

            assertThat(journal.confirm(batch)).isEqualTo(1);
            assertThat(next().command()).isEqualTo(new Command.RemoveAll(List.of(A)));
        }

        @Test
        void secondConfirmation_changesNothing() {
            journal.add(List.of(A));
            Journal.Batch batch = next();

            assertThat(journal.confirm(batch)).isEqualTo(1);
            assertThat(journal.confirm(batch)).isZero();
        }

        @Test
        void batchOfChosenKeys_leavesTheOthers() {
            journal.add(List.of(A, B));

            assertThat(journal.confirm(journal.batchOf(List.of(B)))).isEqualTo(1);
            assertThat(next().command()).isEqualTo(new Command.RemoveAll(List.of(A)));
        }
    }

    @Nested
    class Overflow {
        @Test
        void fullJournal_takesAKeyThatItHasAlready() {
            assertThat(journal.add(keys(Journal.MOST_KEYS))).isTrue();
            assertThat(journal.add(keys(1))).isTrue();
            assertThat(journal.size()).isEqualTo(Journal.MOST_KEYS);
        }

        @Test
        void oneKeyTooMany_meansEverything() {
            journal.add(keys(Journal.MOST_KEYS));

            assertThat(journal.add(List.of(A))).isFalse();
            assertThat(next().command()).isEqualTo(new Command.NewEpoch());
            assertThat(journal.size()).isEqualTo(Journal.MOST_KEYS);
            assertThat(journal.isDoneUpTo(0)).isFalse();
        }

        @Test
        void everything_isForTheKeysThatWereAddedBefore() {
            journal.add(keys(Journal.MOST_KEYS + 1));
            journal.add(List.of(A));
            Journal.Batch everything = next();
            journal.add(List.of(B));
            journal.confirm(everything);

            assertThat(next().command()).isEqualTo(new Command.RemoveAll(List.of(B)));
        }

        @Test
        void secondOverflow_needsAnEpochOfItsOwn() {
            journal.add(keys(Journal.MOST_KEYS + 1));
            Journal.Batch first = next();
            journal.add(keys(Journal.MOST_KEYS + 1));
            journal.confirm(first);

            assertThat(next().command()).isEqualTo(new Command.NewEpoch());
            journal.confirm(next());
            assertThat(journal.next()).isEmpty();
        }
    }

    @Nested
    class IsDoneUpTo {
        @Test
        void laterAdditions_doNotMatter() {
            journal.add(List.of(A));
            long number = journal.latest();
            Journal.Batch batch = next();
            assertThat(journal.isDoneUpTo(number)).isFalse();
            journal.add(List.of(B));
            journal.confirm(batch);

            assertThat(journal.isDoneUpTo(number)).isTrue();
            assertThat(journal.isDoneUpTo(journal.latest())).isFalse();
        }
    }

    @Nested
    class Drop {
        @Test
        void everythingIsForgotten() {
            journal.add(List.of(A, B));

            assertThat(journal.drop()).isEqualTo(2);
            assertThat(journal.next()).isEmpty();
            assertThat(journal.isDoneUpTo(journal.latest())).isTrue();
        }
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
                Schedule schedule = new Schedule(seed, keys(seed % 50 == 0 ? Journal.MOST_KEYS + 100 : 30));
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
                        journal.add(List.of(key));
                        journal.next().ifPresent(batch -> {
                            stale.removeAll(((Journal.Keys) batch).keys());
                            journal.confirm(batch);
                        });
                    }
                }));
            }
            threads.forEach(CompletableFuture::join);
            for (Optional<Journal.Batch> left = journal.next(); left.isPresent(); left = journal.next()) {
                stale.removeAll(((Journal.Keys) left.get()).keys());
                journal.confirm(left.get());
            }

            assertThat(stale).isEmpty();
            assertThat(journal.size()).isZero();
        }
    }

    /** One random schedule, on one thread. */
    private static final class Schedule {
        final Set<EncodedKey> stale = new HashSet<>();
        private final Journal journal = new Journal();
        private final Random random;
        private final List<EncodedKey> all;
        private final List<Journal.Batch> taken = new ArrayList<>();
        private final List<Journal.Batch> executed = new ArrayList<>();

        Schedule(long seed, List<EncodedKey> all) {
            this.random = new Random(seed);
            this.all = all;
        }

        void run() {
            for (int step = 0; step < 100; step++) {
                step();
            }
            for (Optional<Journal.Batch> left = journal.next(); left.isPresent(); left = journal.next()) {
                execute(left.get());
                journal.confirm(left.get());
            }
        }

        private void step() {
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    int from = random.nextInt(all.size());
                    List<EncodedKey> some = all.subList(from, from + random.nextInt(all.size() - from) + 1);
                    stale.addAll(some);
                    journal.add(some);
                }
                case 2 -> journal.next().ifPresent(taken::add);
                case 3 -> oneOf(taken).ifPresent(this::execute);
                default -> oneOf(executed).ifPresent(journal::confirm);
            }
        }

        private void execute(Journal.Batch batch) {
            if (batch instanceof Journal.Keys some) {
                some.keys().forEach(stale::remove);
            } else {
                stale.clear();
            }
            executed.add(batch);
        }

        private Optional<Journal.Batch> oneOf(List<Journal.Batch> batches) {
            return batches.isEmpty() ? Optional.empty() : Optional.of(batches.remove(random.nextInt(batches.size())));
        }
    }
}
