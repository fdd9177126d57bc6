// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command.Claim;
import io.keyslot.client.partition.Command.CompareAndExpire;
import io.keyslot.client.partition.Command.CompareAndRemove;
import io.keyslot.client.partition.Command.CompareAndSet;
import io.keyslot.client.partition.Command.Get;
import io.keyslot.client.partition.Command.GetAndExpire;
import io.keyslot.client.partition.Command.GiveBack;
import io.keyslot.client.partition.Command.Lease;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.partition.Command.Reservation;
import io.keyslot.client.partition.Command.Reserve;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Lookup.Outcome;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every engine does with a place that is reserved for a writer. */
public abstract class ReservationContract extends PutBatchContract {
    private static final long MINUTE_MILLIS = 60_000;
    private static final long FRESH_UNTIL = 1_700_000_000_000L;

    /** Entries of every form. */
    enum Form {
        PLAIN {
            @Override
            Envelope envelope() {
                return Envelope.of(stamp(), new byte[] {1, 2, 3});
            }
        },
        EMPTY {
            @Override
            Envelope envelope() {
                return Envelope.of(stamp(), new byte[0]);
            }
        },
        TIMED {
            @Override
            Envelope envelope() {
                return Envelope.timed(stamp(), FRESH_UNTIL, new byte[] {1, 2, 3});
            }
        },
        LARGE {
            @Override
            Envelope envelope() {
                return Envelope.of(stamp(), large());
            }
        },
        LARGE_AND_TIMED {
            @Override
            Envelope envelope() {
                return Envelope.timed(stamp(), FRESH_UNTIL, large());
            }
        };

        abstract Envelope envelope();

        private static byte[] large() {
            byte[] bytes = new byte[2 * 1024 * 1024];
            new Random(1).nextBytes(bytes);
            return bytes;
        }
    }

    private Reservation reserve(EncodedKey key, long expected, long stamp) {
        return done(new Reserve(key, expected, stamp, MINUTE_MILLIS));
    }

    private Envelope stored(EncodedKey key, Form form, Expiry expiry) {
        Envelope envelope = form.envelope();
        assertThat(done(new Put(key, envelope, expiry, expiry))).isTrue();
        return envelope;
    }

    private void assertIsReserved(EncodedKey key, long stamp, Envelope value) {
        Lookup now = get(key);
        assertThat(now.outcome()).isEqualTo(Outcome.FOUND);
        assertThat(now.isReserved()).isTrue();
        assertThat(now.stamp()).isEqualTo(stamp);
        assertThat(now.envelope()).extracting(Envelope::payload).isEqualTo(value.payload());
        assertThat(now.envelope()).extracting(Envelope::freshUntilMillis).isEqualTo(value.freshUntilMillis());
    }

    @Nested
    class ReservationOfAPlace {
        @Test
        void nothing_isReserved() {
            long stamp = stamp();

            Reservation reservation = reserve(key("a"), Command.ABSENT, stamp);

            assertThat(reservation).isEqualTo(new Reservation(Lookup.reserved(stamp), -1));
            assertThat(get(key("a"))).isEqualTo(Lookup.reserved(stamp));
            assertRemaining(key("a"), MINUTE);
        }

        @ParameterizedTest
        @EnumSource
        void entry_canBeReadUnderTheNewStamp_andEndsWithTheReservation(Form form) {
            Envelope value = stored(key("a"), form, HOUR);
            long stamp = stamp();

            Reservation reservation = reserve(key("a"), value.stamp(), stamp);

            assertThat(reservation.now().mark()).isEqualTo(stamp);
            assertThat(reservation.now().envelope())
                    .extracting(Envelope::payload)
                    .isEqualTo(value.payload());
            assertThat(reservation.expiresInMillis()).isBetween(3_500_000L, 3_600_000L);
            assertIsReserved(key("a"), stamp, value);
            assertRemaining(key("a"), MINUTE);
        }

        @ParameterizedTest
        @EnumSource
        void givenBack_isAsBefore(Form form) {
            Envelope value = stored(key("a"), form, Expiry.NEVER);
            long stamp = stamp();
            long next = stamp();
            assertThat(reserve(key("a"), Reserve.ANY, stamp).expiresInMillis()).isNegative();

            assertThat(done(new GiveBack(key("a"), stamp, next, HOUR))).isTrue();

            Lookup now = get(key("a"));
            assertThat(now.isReserved()).isFalse();
            assertThat(now.stamp()).isEqualTo(next);
            assertThat(now.envelope()).extracting(Envelope::payload).isEqualTo(value.payload());
            assertThat(now.envelope()).extracting(Envelope::freshUntilMillis).isEqualTo(value.freshUntilMillis());
            assertExpiry(key("a"), HOUR);
        }

        @Test
        void givenBackWithoutEntry_isNothing() {
            long stamp = stamp();
            reserve(key("a"), Reserve.ANY, stamp);

            assertThat(done(new GiveBack(key("a"), stamp, stamp(), HOUR))).isTrue();

            assertThat(get(key("a"))).isEqualTo(Lookup.absent());
        }

        @Test
        void givenBackByAnother_isStillReserved() {
            long stamp = stamp();
            Envelope value = stored(key("a"), Form.PLAIN, HOUR);
            reserve(key("a"), Reserve.ANY, stamp);

            assertThat(done(new GiveBack(key("a"), stamp(), stamp(), HOUR))).isFalse();

            assertIsReserved(key("a"), stamp, value);
        }

        @Test
        void reservationOfAnEntryThatExpiresEarlier_endsWithTheEntry() {
            stored(key("a"), Form.PLAIN, MINUTE);

            done(new Reserve(key("a"), Reserve.ANY, stamp(), 2 * MINUTE_MILLIS));

            assertRemaining(key("a"), MINUTE);
        }

        @ParameterizedTest
        @EnumSource
        void secondWriter_isToldOfTheFirst_whateverItExpects(Form form) {
            Envelope value = stored(key("a"), form, HOUR);
            long first = stamp();
            reserve(key("a"), value.stamp(), first);

            assertThat(reserve(key("a"), Reserve.ANY, stamp()).now().mark()).isEqualTo(first);
            assertThat(reserve(key("a"), first, stamp()).now().mark()).isEqualTo(first);
            assertThat(reserve(key("a"), Command.ABSENT, stamp()).now().isReserved())
                    .isTrue();

            assertIsReserved(key("a"), first, value);
        }

        @Test
        void secondWriterOfNothing_isToldOfTheFirst() {
            long first = stamp();
            reserve(key("a"), Command.ABSENT, first);

            assertThat(reserve(key("a"), Command.ABSENT, stamp()).now()).isEqualTo(Lookup.reserved(first));
            assertThat(reserve(key("a"), Reserve.ANY, stamp()).now()).isEqualTo(Lookup.reserved(first));
        }

        @Test
        void sameReservationAgain_isGranted() {
            long stamp = stamp();
            reserve(key("a"), Command.ABSENT, stamp);

            assertThat(reserve(key("a"), Command.ABSENT, stamp).now().mark()).isEqualTo(stamp);
        }

        @Test
        void anotherStampThanExpected_changesNothing() {
            Envelope value = stored(key("a"), Form.PLAIN, HOUR);

            assertThat(reserve(key("a"), stamp(), stamp()).now().stamp()).isEqualTo(value.stamp());
            assertThat(reserve(key("a"), Command.ABSENT, stamp()).now().stamp()).isEqualTo(value.stamp());

            assertThat(get(key("a")).isReserved()).isFalse();
            assertExpiry(key("a"), HOUR);
        }

        @Test
        void expectedEntryThatIsGone_isNotReserved() {
            reserve(key("a"), stamp(), stamp());

            assertThat(get(key("a"))).isEqualTo(Lookup.absent());
        }

        @Test
        void leaseOfALoader_givesWay_andCannotBeFilled() {
            long lease = stamp();
            long stamp = stamp();
            done(new Lease(key("a"), lease, MINUTE));

            assertThat(reserve(key("a"), Command.ABSENT, stamp).now()).isEqualTo(Lookup.reserved(stamp));

            assertThat(done(new CompareAndSet(key("a"), lease, envelope("loaded"), HOUR)))
                    .isFalse();
        }

        @ParameterizedTest
        @MethodSource("io.keyslot.client.partition.ForeignBytes#ours")
        void bytesThatAreNoEntry_giveWay(ForeignBytes foreign) {
            storeRaw(key("a"), foreign.under(key("a"), connection().epoch()));
            long stamp = stamp();

            assertThat(reserve(key("a"), Command.ABSENT, stamp).now()).isEqualTo(Lookup.reserved(stamp));
        }
    }

    @Nested
    class CommandsOnAReservedPlace {
        @ParameterizedTest
        @EnumSource
        void owner_stores(Form form) {
            stored(key("a"), Form.PLAIN, HOUR);
            long stamp = stamp();
            reserve(key("a"), Reserve.ANY, stamp);
            Envelope next = form.envelope();

            assertThat(done(new CompareAndSet(key("a"), stamp, next, HOUR))).isTrue();

            assertThat(get(key("a")).isReserved()).isFalse();
            assertThat(get(key("a")).stamp()).isEqualTo(next.stamp());
            assertExpiry(key("a"), HOUR);
        }

        @ParameterizedTest
        @EnumSource
        void owner_storesOverEachForm(Form form) {
            stored(key("a"), form, HOUR);
            long stamp = stamp();
            reserve(key("a"), Reserve.ANY, stamp);
            Envelope next = envelope("next");

            assertThat(done(new CompareAndSet(key("a"), stamp, next, Expiry.NEVER)))
                    .isTrue();

            assertThat(get(key("a")).stamp()).isEqualTo(next.stamp());
            assertExpiry(key("a"), Expiry.NEVER);
        }

        @Test
        void owner_storesWhereNothingWas_andRemoves_andRenews() {
            long stamp = stamp();
            reserve(key("a"), Command.ABSENT, stamp);

            assertThat(done(new CompareAndExpire(key("a"), stamp, HOUR))).isTrue();
            assertRemaining(key("a"), HOUR);
            assertThat(done(new CompareAndSet(key("a"), stamp, envelope("one"), HOUR)))
                    .isTrue();

            long second = stamp();
            reserve(key("a"), Reserve.ANY, second);
            assertThat(done(new CompareAndRemove(key("a"), second))).isTrue();
            assertThat(get(key("a"))).isEqualTo(Lookup.absent());
        }

        @Test
        void whoExpectsNothing_doesNotStoreWhereNothingIsReserved() {
            long stamp = stamp();
            reserve(key("a"), Command.ABSENT, stamp);

            assertThat(done(new CompareAndSet(key("a"), Command.ABSENT, envelope("one"), HOUR)))
                    .isFalse();

            assertThat(get(key("a"))).isEqualTo(Lookup.reserved(stamp));
        }

        @Test
        void loader_getsNoLease() {
            long stamp = stamp();
            reserve(key("a"), Command.ABSENT, stamp);

            assertThat(done(new Lease(key("a"), stamp(), HOUR))).isEqualTo(Lookup.reserved(stamp));
        }

        @ParameterizedTest
        @EnumSource
        void access_doesNotPutOffItsEnd(Form form) {
            Envelope value = stored(key("a"), form, HOUR);
            long stamp = stamp();
            reserve(key("a"), Reserve.ANY, stamp);

            assertThat(done(new GetAndExpire(key("a"), HOUR)).stamp()).isEqualTo(stamp);

            assertIsReserved(key("a"), stamp, value);
            assertRemaining(key("a"), MINUTE);
        }

        @ParameterizedTest
        @EnumSource(names = {"TIMED", "LARGE_AND_TIMED"})
        void staleEntry_isNotClaimed(Form form) {
            Envelope value = stored(key("a"), form, HOUR);
            long stamp = stamp();
            reserve(key("a"), Reserve.ANY, stamp);

            assertThat(done(new Claim(key("a"), stamp, stamp(), FRESH_UNTIL + 1)))
                    .isFalse();

            assertIsReserved(key("a"), stamp, value);
        }

        @Test
        void put_endsTheReservation() {
            long stamp = stamp();
            reserve(key("a"), Command.ABSENT, stamp);

            Envelope value = stored(key("a"), Form.PLAIN, HOUR);

            assertThat(done(new CompareAndSet(key("a"), stamp, envelope("late"), HOUR)))
                    .isFalse();
            assertThat(done(new Get(key("a"))).stamp()).isEqualTo(value.stamp());
        }
    }
}
