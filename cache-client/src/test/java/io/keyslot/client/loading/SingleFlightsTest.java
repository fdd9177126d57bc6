// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.loading.SingleFlights.Flight;
import io.keyslot.client.loading.SingleFlights.LoadResult;
import io.keyslot.client.loading.SingleFlights.Participation;
import io.keyslot.client.loading.SingleFlights.Participation.Role;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SingleFlightsTest {
    private static final EncodedKey KEY = EncodedKey.of("customer:1");
    private static final long NOTHING = 0;
    private static final long LEASE = 7;

    private final SingleFlights<StringBuilder> flights = new SingleFlights<>(StringBuilder::new);

    private static LoadResult<StringBuilder> result(String value) {
        return LoadResult.of(new StringBuilder(value));
    }

    @Nested
    class Join {
        @Test
        void first_leads_andOthersJoinUntilItHasBegun() {
            Participation<StringBuilder> first = flights.join(KEY, NOTHING);
            Participation<StringBuilder> second = flights.join(KEY, NOTHING);

            assertThat(first.role()).isEqualTo(Role.LEAD);
            assertThat(second.role()).isEqualTo(Role.SHARE);
            assertThat(second.flight()).isSameAs(first.flight());
        }

        @Test
        void whoSeesTheLease_joins() {
            flights.join(KEY, NOTHING).flight().begin(LEASE);

            assertThat(flights.join(KEY, LEASE).role()).isEqualTo(Role.SHARE);
        }

        @Test
        void whoDoesNot_follows_andOthersJoinThat() {
            Participation<StringBuilder> first = flights.join(KEY, NOTHING);
            first.flight().begin(LEASE);
            Participation<StringBuilder> second = flights.join(KEY, NOTHING);
            Participation<StringBuilder> third = flights.join(KEY, NOTHING);

            assertThat(second.role()).isEqualTo(Role.LEAD_NEXT);
            assertThat(second.ahead()).isSameAs(first.flight());
            assertThat(third.role()).isEqualTo(Role.SHARE);
            assertThat(third.flight()).isSameAs(second.flight());
        }

        @Test
        void flightWithoutALease_isJoinedByNobody_onceItHasBegun() {
            flights.join(KEY, NOTHING).flight().begin(NOTHING);

            assertThat(flights.join(KEY, NOTHING).role()).isEqualTo(Role.LEAD_NEXT);
        }

        @Test
        void followerThatDidNotWait_isFollowedAndNotJoined() {
            flights.join(KEY, NOTHING).flight().begin(NOTHING);
            Participation<StringBuilder> impatient = flights.join(KEY, NOTHING);
            impatient.flight().begin(NOTHING);
            Participation<StringBuilder> third = flights.join(KEY, NOTHING);

            assertThat(third.role()).isEqualTo(Role.LEAD_NEXT);
            assertThat(third.ahead()).isSameAs(impatient.flight());
        }

        @Test
        void otherEntries_haveFlightsOfTheirOwn() {
            flights.join(KEY, NOTHING);

            assertThat(flights.join(EncodedKey.of("customer:2"), NOTHING).role())
                    .isEqualTo(Role.LEAD);
            assertThat(flights.size()).isEqualTo(2);
        }
    }

    @Nested
    class LeadIfNone {
        @Test
        void leads_unlessThereIsAFlight() {
            assertThat(flights.leadIfNone(KEY)).isPresent();
            assertThat(flights.leadIfNone(KEY)).isEmpty();
        }
    }

    @Nested
    class End {
        @Test
        void landed_isForgotten() {
            Participation<StringBuilder> first = flights.join(KEY, NOTHING);
            flights.end(KEY, first.flight(), result("v"));

            assertThat(flights.size()).isZero();
            assertThat(flights.join(KEY, NOTHING).role()).isEqualTo(Role.LEAD);
        }

        @Test
        void landedFirst_leavesTheNext() {
            Participation<StringBuilder> first = flights.join(KEY, NOTHING);
            first.flight().begin(NOTHING);
            Participation<StringBuilder> second = flights.join(KEY, NOTHING);
            flights.end(KEY, first.flight(), result("v"));

            assertThat(flights.join(KEY, NOTHING).flight()).isSameAs(second.flight());
        }

        @Test
        void nextThatLandsBefore_leavesTheFirst() {
            Participation<StringBuilder> first = flights.join(KEY, NOTHING);
            first.flight().begin(LEASE);
            Participation<StringBuilder> second = flights.join(KEY, NOTHING);
            flights.end(KEY, second.flight(), LoadResult.unknown());

            assertThat(flights.join(KEY, LEASE).flight()).isSameAs(first.flight());
            flights.end(KEY, first.flight(), result("v"));
            assertThat(flights.size()).isZero();
        }

        @Test
        void forgottenFlight_landsForThoseWhoHaveIt() {
            Participation<StringBuilder> first = flights.join(KEY, NOTHING);
            first.flight().begin(NOTHING);
            Participation<StringBuilder> second = flights.join(KEY, NOTHING);
            second.flight().begin(NOTHING);
            flights.join(KEY, NOTHING);
            flights.end(KEY, first.flight(), result("v"));

            assertThat(first.flight().result()).isDone();
            assertThat(flights.join(KEY, NOTHING).role()).isEqualTo(Role.SHARE);
        }

        @Test
        void second_changesNothing() {
            Participation<StringBuilder> first = flights.join(KEY, NOTHING);
            flights.end(KEY, first.flight(), result("v"));
            flights.end(KEY, first.flight(), LoadResult.unknown());

            assertThat(first.flight().result().join().isKnown()).isTrue();
        }

        @Test
        void whoJoined_getsACopy() {
            Participation<StringBuilder> first = flights.join(KEY, NOTHING);
            flights.join(KEY, NOTHING);
            StringBuilder loaded = new StringBuilder("v");
            flights.end(KEY, first.flight(), LoadResult.of(loaded));
            loaded.append(" changed by its owner");

            assertThat(first.flight().result().join().value()).hasToString("v");
        }

        @Test
        void valueThatCannotBeCopied_isAFailureOfThoseWhoJoined() {
            RuntimeException failure = new IllegalStateException("of the codec");
            SingleFlights<StringBuilder> failing = new SingleFlights<>(value -> {
                throw failure;
            });
            Participation<StringBuilder> first = failing.join(KEY, NOTHING);
            failing.join(KEY, NOTHING);
            failing.end(KEY, first.flight(), result("v"));

            assertThat(first.flight().result().join().failure()).isSameAs(failure);
        }

        @Test
        void nothingAndFailure_landAsTheyAre() {
            Participation<StringBuilder> first = flights.join(KEY, NOTHING);
            flights.join(KEY, NOTHING);
            LoadResult<StringBuilder> failed = LoadResult.failed(new IllegalStateException("of the loader"));
            flights.end(KEY, first.flight(), failed);

            assertThat(first.flight().result().join()).isSameAs(failed);
        }
    }

    /**
     * A database whose value is a number that grows. Whoever reads must get a number at least as large as the one that it
     * knew of before; and when all are done, nothing is left.
     */
    @Test
    void threads_neverGetWhatIsOlderThanWhatTheyKnow() throws Exception {
        long seed = 20260712;
        int threads = 4;
        SingleFlights<Long> shared = new SingleFlights<>(value -> value);
        AtomicLong database = new AtomicLong();
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                Random random = new Random(seed + thread);
                done.add(executor.submit(() -> {
                    start.await(10, TimeUnit.SECONDS);
                    for (int i = 0; i < 5_000; i++) {
                        long known = random.nextInt(4) == 0 ? database.incrementAndGet() : database.get();
                        assertThat(read(shared, database)).as("seed %d", seed).isGreaterThanOrEqualTo(known);
                    }
                    return "done";
                }));
            }
            for (Future<?> each : done) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(shared.size()).isZero();
    }

    private static long read(SingleFlights<Long> shared, AtomicLong database) throws Exception {
        Participation<Long> mine = shared.join(KEY, NOTHING);
        if (mine.role() == Role.SHARE) {
            Long joined = mine.flight().result().get(10, TimeUnit.SECONDS).value();
            return joined == null ? -1 : joined;
        }
        Flight<Long> ahead = mine.ahead();
        if (ahead != null) {
            ahead.result().get(10, TimeUnit.SECONDS);
        }
        mine.flight().begin(NOTHING);
        long loaded = database.get();
        shared.end(KEY, mine.flight(), LoadResult.of(loaded));
        return loaded;
    }
}
