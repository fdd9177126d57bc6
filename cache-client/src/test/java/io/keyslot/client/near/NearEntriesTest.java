// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.concurrent.ManualTicker;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each rule by which a copy comes, is served and goes. */
class NearEntriesTest {
    private static final Duration STALENESS = Duration.ofSeconds(2);
    private static final String KEY = "a";
    private static final int SLOT = 7;
    private static final long VERSION = 3;

    private final ManualTicker ticker = new ManualTicker();
    private final List<NearEnd> ends = new ArrayList<>();
    private final CacheTelemetry telemetry = new CacheTelemetry() {
        @Override
        public void onNearEnded(NearEnd cause, long copies) {
            ends.add(cause);
        }
    };
    private NearSlots slots = NearSlots.first();
    private NearEntries copies = copies(NearOptions.ofEntries(10).withStaleness(STALENESS));
    private final TrackedConnection link = new TrackedConnection(ticker.nanos());

    private NearEntries copies(NearOptions options) {
        return new NearEntries(options, () -> slots, ticker, telemetry);
    }

    private NearReservations.@Nullable NearReservation reserve() {
        return copies.reserve(KEY, new NearReservations.NearReservation(link, SLOT, VERSION));
    }

    private static TrackedLookup found(int number) {
        return found(number, TrackedLookup.ENDLESS);
    }

    private static TrackedLookup found(int number, long millisLeft) {
        return new TrackedLookup(Lookup.of(Envelope.of(number, new byte[] {(byte) number})), millisLeft);
    }

    private void fill(NearReservations.@Nullable NearReservation reservation, TrackedLookup found) {
        assertThat(reservation).isNotNull();
        copies.fill(KEY, reservation, ticker.nanos(), found);
    }

    private long served() {
        NearEntry copy = copies.find(KEY);
        return copy == null ? 0 : copy.stamp();
    }

    @Nested
    class Kept {
        @Test
        void whatWasReservedBefore_isKept() {
            fill(reserve(), found(1));

            assertThat(served()).isEqualTo(1);
        }

        @Test
        void reservationThatWasTakenAway_keepsNothing() {
            NearReservations.NearReservation reservation = reserve();
            copies.kill(KEY, NearEnd.TOLD);
            fill(reservation, found(1));

            assertThat(served()).isZero();
        }

        @Test
        void laterReservation_isNotThatOfAnEarlierRead() {
            NearReservations.NearReservation before = reserve();
            copies.kill(KEY, NearEnd.TOLD);
            NearReservations.NearReservation later = reserve();
            fill(before, found(1));
            assertThat(served()).isZero();
            fill(later, found(2));
            assertThat(served()).isEqualTo(2);
        }

        @Test
        void readsAtTheSameTime_shareAReservation_andTheFirstFillsIt() {
            NearReservations.NearReservation first = reserve();
            NearReservations.NearReservation second = reserve();
            fill(second, found(2));
            fill(first, found(1));

            assertThat(second).isSameAs(first);
            assertThat(served()).isEqualTo(2);
        }

        @Test
        void reservationOfALinkThatIsOver_isNotShared() {
            NearReservations.NearReservation first = reserve();
            NearReservations.NearReservation second =
                    copies.reserve(KEY, new NearReservations.NearReservation(new TrackedConnection(0), SLOT, VERSION));
            fill(first, found(1));

            assertThat(second).isNotSameAs(first);
            assertThat(served()).isZero();
        }

        @Test
        void whatIsNotThere_orWillBeGoneAtAnUnknownTime_isNotKept() {
            fill(reserve(), TrackedLookup.passing(Lookup.absent()));
            assertThat(served()).isZero();
            fill(reserve(), found(1, TrackedLookup.UNKNOWN));
            assertThat(served()).isZero();
            fill(reserve(), TrackedLookup.lasting(Lookup.leased(5), -1));
            assertThat(served()).isZero();
        }

        @Test
        void change_takesTheCopyAway() {
            fill(reserve(), found(1));
            copies.kill(KEY, NearEnd.OWN_CHANGE);

            assertThat(served()).isZero();
            assertThat(ends).containsExactly(NearEnd.OWN_CHANGE);
            assertThat(copies.explain(KEY).lastEnd()).isEqualTo(NearEnd.OWN_CHANGE);
        }
    }

    @Nested
    class Served {
        @Test
        void asLongAsSomethingIsHeard() {
            fill(reserve(), found(1));
            for (int i = 0; i < 10; i++) {
                ticker.advance(STALENESS);
                assertThat(served()).isEqualTo(1);
                link.confirm(ticker.nanos());
            }
            ticker.advance(STALENESS.plusNanos(1));
            assertThat(served()).isZero();
            link.confirm(ticker.nanos());
            assertThat(served()).isEqualTo(1);
        }

        @Test
        void untilTheEntryExpires_countedFromWhenTheReadWasSent() {
            NearReservations.NearReservation reservation = reserve();
            long sentAt = ticker.nanos();
            ticker.advance(Duration.ofMillis(400));
            assertThat(reservation).isNotNull();
            copies.fill(KEY, reservation, sentAt, found(1, 500));
            ticker.advance(Duration.ofMillis(99));
            assertThat(served()).isEqualTo(1);
            ticker.advance(Duration.ofMillis(1));
            assertThat(served()).isZero();
        }

        @Test
        void untilTheEntryIsStale() {
            Envelope timed = Envelope.timed(1, ticker.epochMillis() + 300, new byte[1]);
            fill(reserve(), TrackedLookup.lasting(Lookup.of(timed), -1));
            ticker.advance(Duration.ofMillis(299));
            assertThat(served()).isEqualTo(1);
            ticker.advance(Duration.ofMillis(1));
            assertThat(served()).isZero();
        }

        @Test
        void notOverALinkThatIsOver() {
            fill(reserve(), found(1));
            link.lose();
            assertThat(served()).isZero();
            assertThat(copies.findMissing(KEY)).isNull();
        }

        @Test
        void whereThePartitionIsMissing_forSoLongSinceItsLastWord() {
            copies = copies(NearOptions.ofEntries(10).withWhenMissing(Duration.ofSeconds(30)));
            fill(reserve(), found(1));
            assertThat(copies.findMissing(KEY)).isNull();
            link.lose();
            ticker.advance(Duration.ofSeconds(30));
            assertThat(copies.findMissing(KEY)).isNotNull();
            ticker.advance(Duration.ofNanos(1));
            assertThat(copies.findMissing(KEY)).isNull();
        }

        @Test
        void notWhereThePartitionIsMissing_onceThereIsAnotherConnection() {
            copies = copies(NearOptions.ofEntries(10).withWhenMissing(Duration.ofSeconds(30)));
            fill(reserve(), found(1));
            link.lose();
            link.end(NearEnd.LINK_LOST);
            assertThat(copies.findMissing(KEY)).isNull();
        }
    }

    @Test
    void sweep_takesAwayWhatIsNeverServedAgain() {
        fill(reserve(), found(1));
        copies.all().forEachRemaining(copies::tidy);
        assertThat(copies.entries()).isEqualTo(1);

        link.end(NearEnd.ALL_TOLD);
        copies.all().forEachRemaining(copies::tidy);
        assertThat(copies.entries()).isZero();
        assertThat(ends).containsExactly(NearEnd.ALL_TOLD);
    }

    @Test
    void size_isBoundByBytes() {
        copies = copies(NearOptions.ofSize(10_000));
        for (int i = 1; i <= 1_000; i++) {
            NearReservations.NearReservation reservation =
                    copies.reserve("k" + i, new NearReservations.NearReservation(link, SLOT, VERSION));
            assertThat(reservation).isNotNull();
            copies.fill("k" + i, reservation, ticker.nanos(), found(i));
        }

        assertThat(copies.bytes()).isBetween(5_000L, 10_000L);
    }

    /** Copies for which there is no room. */
    @Nested
    class Room {
        private void fill(String key) {
            NearReservations.NearReservation reservation =
                    copies.reserve(key, new NearReservations.NearReservation(link, SLOT, VERSION));
            assertThat(reservation).isNotNull();
            copies.fill(key, reservation, ticker.nanos(), found(1));
        }

        @Test
        void copyThatIsEvicted_isToldOnce_withItsCause() {
            for (int i = 0; i < 100; i++) {
                fill("k" + i);
            }

            assertThat(ends).hasSize(100 - (int) copies.entries()).containsOnly(NearEnd.EVICTED);
            assertThat(copies.entries()).isEqualTo(10);
        }

        @Test
        void reservationThatIsEvicted_isNoCopy() {
            for (int i = 0; i < 100; i++) {
                copies.reserve("k" + i, new NearReservations.NearReservation(link, SLOT, VERSION));
            }

            assertThat(copies.entries()).isEqualTo(10);
            assertThat(ends).isEmpty();
        }
    }
}
