// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.loading.Boarding.Role;
import io.keyslot.client.partition.EncodedKey;
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

class FlightsTest {
    private static final EncodedKey KEY = EncodedKey.of("customer:1");
    private static final long NOTHING = 0;
    private static final long LEASE = 7;

    private final Flights<StringBuilder> flights = new Flights<>(StringBuilder::new);

    private static Landing<StringBuilder> landing(String value) {
        return Landing.of(new StringBuilder(value));
    }

    @Nested
    class Board {
        @Test
        void first_leads_andOthersJoinUntilItHasBegun() {
            Boarding<StringBuilder> first = flights.board(KEY, NOTHING);
            Boarding<StringBuilder> second = flights.board(KEY, NOTHING);

            assertThat(first.role()).isEqualTo(Role.LEAD);
            assertThat(second.role()).isEqualTo(Role.JOIN);
            assertThat(second.flight()).isSameAs(first.flight());
        }

        @Test
        void whoSeesTheLease_joins() {
            flights.board(KEY, NOTHING).flight().begin(LEASE);

            assertThat(flights.board(KEY, LEASE).role()).isEqualTo(Role.JOIN);
        }

        @Test
        void whoDoesNot_follows_andOthersJoinThat() {
            Boarding<StringBuilder> first = flights.board(KEY, NOTHING);
            first.flight().begin(LEASE);
            Boarding<StringBuilder> second = flights.board(KEY, NOTHING);
            Boarding<StringBuilder> third = flights.board(KEY, NOTHING);

            assertThat(second.role()).isEqualTo(Role.FOLLOW);
            assertThat(second.ahead()).isSameAs(first.flight());
            assertThat(third.role()).isEqualTo(Role.JOIN);
            assertThat(third.flight()).isSameAs(second.flight());
        }

        @Test
        void flightWithoutALease_isJoinedByNobody_onceItHasBegun() {
            flights.board(KEY, NOTHING).flight().begin(NOTHING);

            assertThat(flights.board(KEY, NOTHING).role()).isEqualTo(Role.FOLLOW);
        }

        @Test
        void followerThatDidNotWait_isFollowedAndNotJoined() {
            flights.board(KEY, NOTHING).flight().begin(NOTHING);
            Boarding<StringBuilder> impatient = flights.board(KEY, NOTHING);
            impatient.flight().begin(NOTHING);
            Boarding<StringBuilder> third = flights.board(KEY, NOTHING);

            assertThat(third.role()).isEqualTo(Role.FOLLOW);
            assertThat(third.ahead()).isSameAs(impatient.flight());
        }

        @Test
        void otherEntries_haveFlightsOfTheirOwn() {
            flights.board(KEY, NOTHING);

            assertThat(flights.board(EncodedKey.of("customer:2"), NOTHING).role())
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
    class Land {
        @Test
        void landed_isForgotten() {
            Boarding<StringBuilder> first = flights.board(KEY, NOTHING);
            flights.land(KEY, first.flight(), landing("v"));

            assertThat(flights.size()).isZero();
            assertThat(flights.board(KEY, NOTHING).role()).isEqualTo(Role.LEAD);
        }

        @Test
        void landedFirst_leavesTheNext() {
            Boarding<StringBuilder> first = flights.board(KEY, NOTHING);
            first.flight().begin(NOTHING);
            Boarding<StringBuilder> second = flights.board(KEY, NOTHING);
            flights.land(KEY, first.flight(), landing("v"));

            assertThat(flights.board(KEY, NOTHING).flight()).isSameAs(second.flight());
        }

        @Test
        void nextThatLandsBefore_leavesTheFirst() {
            Boarding<StringBuilder> first = flights.board(KEY, NOTHING);
            first.flight().begin(LEASE);
            Boarding<StringBuilder> second = flights.board(KEY, NOTHING);
            flights.land(KEY, second.flight(), Landing.unknown());

            assertThat(flights.board(KEY, LEASE).flight()).isSameAs(first.flight());
            flights.land(KEY, first.flight(), landing("v"));
            assertThat(flights.size()).isZero();
        }

        @Test
        void forgottenFlight_landsForThoseWhoHaveIt() {
            Boarding<StringBuilder> first = flights.board(KEY, NOTHING);
            first.flight().begin(NOTHING);
            Boarding<StringBuilder> second = flights.board(KEY, NOTHING);
            second.flight().begin(NOTHING);
            flights.board(KEY, NOTHING);
            flights.land(KEY, first.flight(), landing("v"));

            assertThat(first.flight().landing()).isDone();
            assertThat(flights.board(KEY, NOTHING).role()).isEqualTo(Role.JOIN);
        }

        @Test
        void second_changesNothing() {
            Boarding<StringBuilder> first = flights.board(KEY, NOTHING);
            flights.land(KEY, first.flight(), landing("v"));
            flights.land(KEY, first.flight(), Landing.unknown());

            assertThat(first.flight().landing().join().isKnown()).isTrue();
        }

        @Test
        void whoJoined_getsACopy() {
            Boarding<StringBuilder> first = flights.board(KEY, NOTHING);
            flights.board(KEY, NOTHING);
            StringBuilder loaded = new StringBuilder("v");
            flights.land(KEY, first.flight(), Landing.of(loaded));
            loaded.append(" changed by its owner");

            assertThat(first.flight().landing().join().value()).hasToString("v");
        }

        @Test
        void valueThatCannotBeCopied_isAFailureOfThoseWhoJoined() {
            RuntimeException failure = new IllegalStateException("of the codec");
            Flights<StringBuilder> failing = new Flights<>(value -> {
                throw failure;
            });
            Boarding<StringBuilder> first = failing.board(KEY, NOTHING);
            failing.board(KEY, NOTHING);
            failing.land(KEY, first.flight(), landing("v"));

            assertThat(first.flight().landing().join().failure()).isSameAs(failure);
        }

        @Test
        void nothingAndFailure_landAsTheyAre() {
            Boarding<StringBuilder> first = flights.board(KEY, NOTHING);
            flights.board(KEY, NOTHING);
            Landing<StringBuilder> failed = Landing.failed(new IllegalStateException("of the loader"));
            flights.land(KEY, first.flight(), failed);

            assertThat(first.flight().landing().join()).isSameAs(failed);
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
        Flights<Long> shared = new Flights<>(value -> value);
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

    private static long read(Flights<Long> shared, AtomicLong database) throws Exception {
        Boarding<Long> boarding = shared.board(KEY, NOTHING);
        if (boarding.role() == Role.JOIN) {
            Long joined = boarding.flight().landing().get(10, TimeUnit.SECONDS).value();
            return joined == null ? -1 : joined;
        }
        Flight<Long> ahead = boarding.ahead();
        if (ahead != null) {
            ahead.landing().get(10, TimeUnit.SECONDS);
        }
        boarding.flight().begin(NOTHING);
        long loaded = database.get();
        shared.land(KEY, boarding.flight(), Landing.of(loaded));
        return loaded;
    }
}
