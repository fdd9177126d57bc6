// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command.Claim;
import io.keyslot.client.partition.Command.CompareAndExpire;
import io.keyslot.client.partition.Command.CompareAndRemove;
import io.keyslot.client.partition.Command.CompareAndSet;
import io.keyslot.client.partition.Command.Describe;
import io.keyslot.client.partition.Command.Get;
import io.keyslot.client.partition.Command.GetAll;
import io.keyslot.client.partition.Command.GetAndExpire;
import io.keyslot.client.partition.Command.GetAndRemove;
import io.keyslot.client.partition.Command.Lease;
import io.keyslot.client.partition.Command.NewEpoch;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.partition.Command.PutAll;
import io.keyslot.client.partition.Command.RemoveAll;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Lookup.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every engine does with what stands where an entry would be and is none, and with the freshness of entries. */
public abstract class LeaseContract extends ReservationContract {
    private static final long FRESH_UNTIL = 1_700_000_000_000L;
    private static final long LATER = FRESH_UNTIL + 60_000;

    /** What counts as nothing although it was stored on purpose; for a minute. */
    enum Placeholder {
        LEASE(Outcome.LEASED) {
            @Override
            Envelope envelope() {
                return Envelope.lease(stamp());
            }
        },
        NEGATIVE(Outcome.NEGATIVE) {
            @Override
            Envelope envelope() {
                return Envelope.negative(stamp());
            }
        };

        private final Outcome outcome;

        Placeholder(Outcome outcome) {
            this.outcome = outcome;
        }

        abstract Envelope envelope();
    }

    private Envelope stored(EncodedKey key, Placeholder placeholder) {
        Envelope envelope = placeholder.envelope();
        assertThat(done(new CompareAndSet(key, Command.ABSENT, envelope, MINUTE)))
                .isTrue();
        return envelope;
    }

    private Lookup lease(EncodedKey key, long stamp) {
        return done(new Lease(key, stamp, MINUTE));
    }

    private Envelope putTimed(EncodedKey key, Expiry expiry) {
        Envelope envelope = Envelope.timed(stamp(), FRESH_UNTIL, "one".getBytes(StandardCharsets.UTF_8));
        done(new Put(key, envelope, expiry, expiry));
        return envelope;
    }

    @Nested
    class LeaseOfAKey {
        @Test
        void nothing_isLeased() {
            long stamp = stamp();

            assertThat(lease(key("a"), stamp)).isEqualTo(Lookup.leased(stamp));

            assertThat(get(key("a"))).isEqualTo(Lookup.leased(stamp));
            assertThat(get(key("a")).stamp()).isEqualTo(Command.ABSENT);
            assertRemaining(key("a"), MINUTE);
        }

        @Test
        void secondCaller_isToldOfTheFirst() {
            long first = stamp();
            lease(key("a"), first);

            assertThat(done(new Lease(key("a"), stamp(), HOUR)).leaseStamp()).isEqualTo(first);

            assertRemaining(key("a"), MINUTE);
        }

        @Test
        void sameLeaseAgain_isGranted() {
            long stamp = stamp();
            lease(key("a"), stamp);

            assertThat(lease(key("a"), stamp).leaseStamp()).isEqualTo(stamp);
        }

        @Test
        void presentEntry_isAnsweredAndStays() {
            Envelope entry = put(key("a"), "one", HOUR);

            Lookup found = lease(key("a"), stamp());

            assertThat(text(found)).isEqualTo("one");
            assertThat(found.leaseStamp()).isZero();
            assertThat(get(key("a")).stamp()).isEqualTo(entry.stamp());
            assertExpiry(key("a"), HOUR);
        }

        @Test
        void negative_isAnsweredAndStays() {
            stored(key("a"), Placeholder.NEGATIVE);

            assertThat(lease(key("a"), stamp()).outcome()).isEqualTo(Outcome.NEGATIVE);

            assertThat(get(key("a")).outcome()).isEqualTo(Outcome.NEGATIVE);
        }

        @ParameterizedTest
        @MethodSource("io.keyslot.client.partition.ForeignBytes#ours")
        void bytesThatAreNoEntry_giveWay(ForeignBytes foreign) {
            storeRaw(key("a"), foreign.under(key("a"), connection().epoch()));
            long stamp = stamp();

            assertThat(lease(key("a"), stamp).leaseStamp()).isEqualTo(stamp);

            assertRemaining(key("a"), MINUTE);
        }

        @Test
        void expiredEntry_givesWay() {
            put(key("a"), "one", SOON);
            pass(A_MOMENT);
            long stamp = stamp();

            assertThat(lease(key("a"), stamp).leaseStamp()).isEqualTo(stamp);
        }

        @Test
        void lease_endsByItself() {
            done(new Lease(key("a"), stamp(), SOON));
            pass(A_MOMENT);

            assertThat(get(key("a"))).isEqualTo(Lookup.absent());
            long next = stamp();
            assertThat(lease(key("a"), next).leaseStamp()).isEqualTo(next);
        }

        @Test
        void storedBytes_areTheHeaderOnly() {
            long stamp = stamp();
            lease(key("a"), stamp);

            assertThat(readRaw(key("a")))
                    .hasValueSatisfying(bytes -> assertThat(bytes)
                            .isEqualTo(Envelope.lease(stamp)
                                    .toBytes(key("a"), connection().epoch())));
        }

        @Test
        void race_grantsOneLease() throws Exception {
            int racers = 4;
            ExecutorService executor = Executors.newFixedThreadPool(racers);
            try {
                for (EncodedKey key : keys("race", 50)) {
                    assertThat(race(executor, racers, key)).isEqualTo(1);
                }
            } finally {
                executor.shutdownNow();
            }
        }

        private long race(ExecutorService executor, int racers, EncodedKey key) throws Exception {
            CyclicBarrier start = new CyclicBarrier(racers);
            Callable<Boolean> racer = () -> {
                long stamp = stamp();
                start.await(10, TimeUnit.SECONDS);
                return lease(key, stamp).leaseStamp() == stamp;
            };
            long granted = 0;
            for (Future<Boolean> won : executor.invokeAll(Collections.nCopies(racers, racer))) {
                granted += won.get() ? 1 : 0;
            }
            return granted;
        }
    }

    @Nested
    class HolderOfALease {
        private final long stamp = stamp();

        private void lease(Expiry expiry) {
            done(new Lease(key("a"), stamp, expiry));
        }

        @ParameterizedTest
        @MethodSource("io.keyslot.client.partition.LeaseContract#fills")
        void fill_takesThePlaceOfTheLeaseAndExpiresAsSaid(Expiry expiry, Expiry expected) {
            lease(MINUTE);

            assertThat(done(new CompareAndSet(key("a"), stamp, envelope("one"), expiry)))
                    .isTrue();

            assertThat(text(get(key("a")))).isEqualTo("one");
            assertExpiry(key("a"), expected);
        }

        @Test
        void fillByAnotherStamp_changesNothing() {
            lease(MINUTE);

            assertThat(compareAndSet(key("a"), stamp + 1, envelope("one"))).isFalse();

            assertThat(get(key("a")).leaseStamp()).isEqualTo(stamp);
        }

        @Test
        void fillWithANegative_isAnsweredAsOne() {
            lease(MINUTE);

            assertThat(done(new CompareAndSet(key("a"), stamp, Envelope.negative(stamp()), HOUR)))
                    .isTrue();

            assertThat(get(key("a")).outcome()).isEqualTo(Outcome.NEGATIVE);
            assertRemaining(key("a"), HOUR);
        }

        @Test
        void fillAfterTheLeaseHasEnded_storesNothing() {
            lease(SOON);
            pass(A_MOMENT);

            assertThat(compareAndSet(key("a"), stamp, envelope("one"))).isFalse();

            assertThat(get(key("a"))).isEqualTo(Lookup.absent());
        }

        @Test
        void renewal_putsTheEndOff() {
            lease(SOON);

            assertThat(done(new CompareAndExpire(key("a"), stamp, MINUTE))).isTrue();
            pass(A_MOMENT);

            assertThat(get(key("a")).leaseStamp()).isEqualTo(stamp);
        }

        @Test
        void renewalByAnotherStamp_changesNothing() {
            lease(MINUTE);

            assertThat(done(new CompareAndExpire(key("a"), stamp + 1, HOUR))).isFalse();

            assertRemaining(key("a"), MINUTE);
        }

        @Test
        void release_freesTheKey() {
            lease(MINUTE);

            assertThat(done(new CompareAndRemove(key("a"), stamp))).isTrue();

            assertThat(readRaw(key("a"))).isEmpty();
        }

        @Test
        void releaseByAnotherStamp_changesNothing() {
            lease(MINUTE);

            assertThat(done(new CompareAndRemove(key("a"), stamp + 1))).isFalse();

            assertThat(get(key("a")).leaseStamp()).isEqualTo(stamp);
        }

        @Test
        void leaseOfAnotherEpoch_cannotBeFilledRenewedOrReleased() {
            storeRaw(
                    key("a"),
                    Envelope.lease(stamp).toBytes(key("a"), connection().epoch() + 1));

            assertThat(get(key("a")).outcome()).isEqualTo(Outcome.OTHER_EPOCH);
            assertThat(compareAndSet(key("a"), stamp, envelope("one"))).isFalse();
            assertThat(done(new CompareAndExpire(key("a"), stamp, HOUR))).isFalse();
            assertThat(done(new CompareAndRemove(key("a"), stamp))).isFalse();
        }
    }

    static Stream<Arguments> fills() {
        return Stream.of(
                Arguments.of(Expiry.NEVER, Expiry.NEVER),
                Arguments.of(HOUR, HOUR),
                Arguments.of(Expiry.UNCHANGED, Expiry.NEVER));
    }

    @Nested
    class AnybodyElse {
        @ParameterizedTest
        @EnumSource
        void reads_seeNoEntryAndPutNothingOff(Placeholder placeholder) {
            stored(key("a"), placeholder);

            assertThat(get(key("a")).outcome()).isEqualTo(placeholder.outcome);
            assertThat(done(new GetAll(List.of(key("a")))).get(0).outcome()).isEqualTo(placeholder.outcome);
            assertThat(done(new GetAndExpire(key("a"), HOUR)).outcome()).isEqualTo(placeholder.outcome);
            assertThat(done(new GetAndExpire(key("a"), Expiry.NEVER)).isFound()).isFalse();
            assertThat(done(new Describe(key("a"))).lookup().stamp()).isEqualTo(Command.ABSENT);
            assertRemaining(key("a"), MINUTE);
        }

        @ParameterizedTest
        @EnumSource
        void put_createsAndVoids(Placeholder placeholder) {
            for (Expiry onUpdate : List.of(HOUR, MINUTE, Expiry.NEVER, Expiry.UNCHANGED)) {
                EncodedKey key = key("a" + onUpdate.millis());
                long stamp = stored(key, placeholder).stamp();

                done(new Put(key, envelope("one"), HOUR, onUpdate));

                assertThat(text(get(key))).isEqualTo("one");
                assertExpiry(key, HOUR);
                assertThat(compareAndSet(key, stamp, envelope("two"))).isFalse();
            }
        }

        @ParameterizedTest
        @EnumSource
        void putOfAnEternalEntry_doesNotInheritTheExpiry(Placeholder placeholder) {
            stored(key("a"), placeholder);
            stored(key("b"), placeholder);

            done(new Put(key("a"), envelope("one"), Expiry.NEVER, Expiry.UNCHANGED));
            done(new PutAll(List.of(new Put(key("b"), envelope("one"), Expiry.NEVER, Expiry.UNCHANGED))));

            assertExpiry(key("a"), Expiry.NEVER);
            assertExpiry(key("b"), Expiry.NEVER);
        }

        @ParameterizedTest
        @EnumSource
        void compareAndSetThatExpectsNothing_storesAndVoids(Placeholder placeholder) {
            long stamp = stored(key("a"), placeholder).stamp();

            assertThat(done(new CompareAndSet(key("a"), Command.ABSENT, envelope("one"), Expiry.UNCHANGED)))
                    .isTrue();

            assertExpiry(key("a"), Expiry.NEVER);
            assertThat(compareAndSet(key("a"), stamp, envelope("two"))).isFalse();
            assertThat(text(get(key("a")))).isEqualTo("one");
        }

        @ParameterizedTest
        @EnumSource
        void getAndRemove_answersNoEntryAndVoids(Placeholder placeholder) {
            long stamp = stored(key("a"), placeholder).stamp();

            assertThat(done(new GetAndRemove(key("a"))).isFound()).isFalse();

            assertThat(readRaw(key("a"))).isEmpty();
            assertThat(compareAndSet(key("a"), stamp, envelope("one"))).isFalse();
        }

        @ParameterizedTest
        @EnumSource
        void removeAll_voids(Placeholder placeholder) {
            long stamp = stored(key("a"), placeholder).stamp();

            done(new RemoveAll(List.of(key("a"))));

            assertThat(readRaw(key("a"))).isEmpty();
            assertThat(compareAndSet(key("a"), stamp, envelope("one"))).isFalse();
        }

        @ParameterizedTest
        @EnumSource
        void removalOfWhatIsNoEntry_voids(Placeholder placeholder) {
            stored(key("a"), placeholder);

            assertThat(done(new CompareAndRemove(key("a"), Command.ABSENT))).isTrue();

            assertThat(readRaw(key("a"))).isEmpty();
        }

        @Test
        void negative_hasNoStampToCompareWith() {
            long stamp = stored(key("a"), Placeholder.NEGATIVE).stamp();

            assertThat(compareAndSet(key("a"), stamp, envelope("one"))).isFalse();
            assertThat(done(new CompareAndExpire(key("a"), stamp, HOUR))).isFalse();
            assertThat(done(new CompareAndRemove(key("a"), stamp))).isFalse();
            assertThat(get(key("a")).outcome()).isEqualTo(Outcome.NEGATIVE);
        }
    }

    @Nested
    class RemovalOfWhatIsNoEntry {
        @Test
        void entry_stays() {
            put(key("a"), "one");

            assertThat(done(new CompareAndRemove(key("a"), Command.ABSENT))).isFalse();

            assertThat(text(get(key("a")))).isEqualTo("one");
        }

        @Test
        void nothing_isNoEntryAfterwards() {
            assertThat(done(new CompareAndRemove(key("a"), Command.ABSENT))).isTrue();
        }

        @ParameterizedTest
        @MethodSource("io.keyslot.client.partition.ForeignBytes#ours")
        void bytesThatAreNoEntry_areRemoved(ForeignBytes foreign) {
            storeRaw(key("a"), foreign.under(key("a"), connection().epoch()));

            assertThat(done(new CompareAndRemove(key("a"), Command.ABSENT))).isTrue();

            assertThat(readRaw(key("a"))).isEmpty();
        }
    }

    @Nested
    class ClaimOfAnEntry {
        private final long claimed = stamp();

        private boolean claim(long expectedStamp) {
            return done(new Claim(key("a"), expectedStamp, claimed, LATER));
        }

        @Test
        void timedEntry_comesBackWithItsFreshness() {
            putTimed(key("a"), Expiry.NEVER);

            Envelope found = get(key("a")).envelope();

            assertThat(found).isNotNull();
            assertThat(found.freshUntilMillis()).isEqualTo(FRESH_UNTIL);
            assertThat(text(get(key("a")))).isEqualTo("one");
        }

        @ParameterizedTest
        @MethodSource("io.keyslot.client.partition.LeaseContract#expiries")
        void expectedStamp_changesStampAndFreshnessAndNothingElse(Expiry expiry) {
            Envelope before = putTimed(key("a"), expiry);

            assertThat(claim(before.stamp())).isTrue();

            Envelope after = get(key("a")).envelope();
            assertThat(after).isNotNull();
            assertThat(after.stamp()).isEqualTo(claimed);
            assertThat(after.freshUntilMillis()).isEqualTo(LATER);
            assertThat(text(get(key("a")))).isEqualTo("one");
            assertExpiry(key("a"), expiry);
        }

        @Test
        void anotherStamp_changesNothing() {
            Envelope before = putTimed(key("a"), MINUTE);

            assertThat(claim(before.stamp() + 1)).isFalse();

            Envelope after = get(key("a")).envelope();
            assertThat(after).isNotNull();
            assertThat(after.stamp()).isEqualTo(before.stamp());
            assertThat(after.freshUntilMillis()).isEqualTo(FRESH_UNTIL);
        }

        @Test
        void sameClaimAgain_isStillOurs() {
            Envelope before = putTimed(key("a"), MINUTE);
            claim(before.stamp());

            assertThat(claim(before.stamp())).isTrue();
        }

        @Test
        void secondClaimant_isTooLate() {
            Envelope before = putTimed(key("a"), MINUTE);
            claim(before.stamp());

            assertThat(done(new Claim(key("a"), before.stamp(), stamp(), LATER)))
                    .isFalse();

            assertThat(get(key("a")).stamp()).isEqualTo(claimed);
        }

        @Test
        void entryWithoutFreshness_isNotClaimed() {
            Envelope before = put(key("a"), "a value that is longer than the freshness would be");

            assertThat(claim(before.stamp())).isFalse();

            assertThat(text(get(key("a")))).startsWith("a value");
        }

        @Test
        void nothing_isNotClaimed() {
            assertThat(claim(1)).isFalse();
            assertThat(readRaw(key("a"))).isEmpty();
        }

        @ParameterizedTest
        @EnumSource
        void placeholder_isNotClaimed(Placeholder placeholder) {
            assertThat(claim(stored(key("a"), placeholder).stamp())).isFalse();

            assertThat(get(key("a")).outcome()).isEqualTo(placeholder.outcome);
        }

        @ParameterizedTest
        @EnumSource
        void foreignBytes_areNotClaimed(ForeignBytes foreign) {
            byte[] before = foreign.under(key("a"), connection().epoch());
            storeRaw(key("a"), before);

            assertThat(claim(ForeignBytes.STAMP)).isFalse();

            assertThat(readRaw(key("a")))
                    .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(before));
        }
    }

    static Stream<Arguments> expiries() {
        return Stream.of(Arguments.of(Expiry.NEVER), Arguments.of(MINUTE));
    }

    /** Readers and scripts must draw the same line between entries and what is none, wherever a bit has changed. */
    @Nested
    class FlippedBits {
        @Test
        void entry_isNoneForScriptsExactlyIfReadersSaySo() {
            assertSameForAll(Envelope.of(stamp(), new byte[] {1, 2, 3}));
        }

        @Test
        void timedEntry_isNoneForScriptsExactlyIfReadersSaySo() {
            assertSameForAll(Envelope.timed(stamp(), FRESH_UNTIL, new byte[] {1, 2, 3}));
        }

        @ParameterizedTest
        @EnumSource
        void placeholder_isNoEntryForScriptsExactlyIfReadersSaySo(Placeholder placeholder) {
            assertSameForAll(placeholder.envelope());
        }

        private void assertSameForAll(Envelope envelope) {
            byte[] whole = envelope.toBytes(key("a"), connection().epoch());
            for (int bit = 0; bit < Envelope.HEADER_BYTES * Byte.SIZE; bit++) {
                byte[] flipped = whole.clone();
                flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
                storeRaw(key("a"), flipped);
                Lookup found = get(key("a"));

                assertThat(done(new CompareAndExpire(key("a"), envelope.stamp(), HOUR)))
                        .describedAs("bit %d: %s", bit, found)
                        .isEqualTo(found.stamp() == envelope.stamp() || found.leaseStamp() == envelope.stamp());
                assertThat(done(new CompareAndRemove(key("a"), Command.ABSENT)))
                        .describedAs("bit %d: %s", bit, found)
                        .isEqualTo(!found.isFound());
            }
        }
    }

    @Nested
    class EpochThatBegins {
        @Test
        void everything_isForgottenByEveryConnection() throws Exception {
            try (PartitionConnection asking = connect();
                    PartitionConnection other = connect()) {
                answer(reply(asking, new Put(key("a"), envelope("one"), Expiry.NEVER, Expiry.NEVER)));
                answer(reply(asking, new Lease(key("b"), stamp(), MINUTE)));

                assertThat(answer(reply(asking, new NewEpoch()))).isTrue();

                assertThat(asking.lost()).succeedsWithin(Duration.ofSeconds(10));
                assertThat(other.lost()).succeedsWithin(Duration.ofSeconds(10));
                assertThat(reply(asking, new Get(key("a")))).isInstanceOf(Reply.Refused.class);
                assertThat(reply(other, new Get(key("a")))).isInstanceOf(Reply.Refused.class);
            }
            try (PartitionConnection next = connect()) {
                assertThat(answer(reply(next, new Get(key("a")))).isFound()).isFalse();
                long stamp = stamp();
                assertThat(answer(reply(next, new Lease(key("b"), stamp, MINUTE)))
                                .leaseStamp())
                        .isEqualTo(stamp);
            }
        }

        @Test
        void epochs_differ() throws Exception {
            int first;
            try (PartitionConnection connection = connect()) {
                first = connection.epoch();
                answer(reply(connection, new NewEpoch()));
            }
            try (PartitionConnection connection = connect()) {
                assertThat(connection.epoch()).isNotEqualTo(first);
            }
        }

        private PartitionConnection connect() throws Exception {
            return separateConnector().connect().get(10, TimeUnit.SECONDS);
        }
    }
}
