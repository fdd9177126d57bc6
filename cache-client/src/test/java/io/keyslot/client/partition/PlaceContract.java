// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command.Claim;
import io.keyslot.client.partition.Command.CompareAndExpire;
import io.keyslot.client.partition.Command.CompareAndRemove;
import io.keyslot.client.partition.Command.CompareAndSet;
import io.keyslot.client.partition.Command.Describe;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.Command.Get;
import io.keyslot.client.partition.Command.GetAll;
import io.keyslot.client.partition.Command.GetAndExpire;
import io.keyslot.client.partition.Command.GetAndRemove;
import io.keyslot.client.partition.Command.GiveBack;
import io.keyslot.client.partition.Command.Lease;
import io.keyslot.client.partition.Command.NewEpoch;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.partition.Command.PutAll;
import io.keyslot.client.partition.Command.RemoveAll;
import io.keyslot.client.partition.Command.Reservation;
import io.keyslot.client.partition.Command.Reserve;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Lookup.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * What every engine does with the place of a key, be there an entry, a lease, a reservation, the mark that there is no
 * value, or nothing: random commands, answered as by a model.
 */
public abstract class PlaceContract extends PutBatchContract {
    private static final int STEPS = 400;
    private static final long FRESH = 1_700_000_000_000L;

    /** What is under a key; nothing if it is ABSENT. The payload is that of an entry, also of a reserved one. */
    private record Place(
            Outcome outcome,
            long stamp,
            boolean isReserved,
            @Nullable Envelope entry,
            long fresh,
            Expiry expiry) {
        static final Place NONE = new Place(Outcome.ABSENT, Command.ABSENT, false, null, 0, Expiry.NEVER);

        static Place of(Envelope envelope, Expiry expiry) {
            return envelope.isNegative()
                    ? new Place(Outcome.NEGATIVE, Command.ABSENT, false, null, 0, expiry)
                    : new Place(Outcome.FOUND, envelope.stamp(), false, envelope, envelope.freshUntilMillis(), expiry);
        }

        static Place unreadable(Outcome outcome) {
            return new Place(outcome, Command.ABSENT, false, null, 0, Expiry.NEVER);
        }

        boolean isEntry() {
            return outcome == Outcome.FOUND;
        }

        /** Whether a command that expects this stamp may change the place. */
        boolean fits(long expected) {
            return expected == Command.ABSENT ? !isEntry() && !isReserved : expected == stamp;
        }

        Place expiring(Expiry next) {
            return new Place(outcome, stamp, isReserved, entry, fresh, next.isUnchanged() ? expiry : next);
        }

        Place overwritten(Put put) {
            Expiry next = isEntry() ? put.onUpdate() : put.onCreation();
            return of(put.envelope(), next.isUnchanged() ? expiry : next);
        }

        Place stamped(long next, boolean reserved, long freshUntil, Expiry until) {
            return new Place(outcome, next, reserved, entry, freshUntil, until);
        }
    }

    /** One history of two keys. */
    private final class History {
        private final long seed = new Random().nextLong();
        private final Random random = new Random(seed);
        private final Map<EncodedKey, Place> places = new HashMap<>();
        private int expiries = 2;
        private String last = "";

        void run() {
            for (int i = 0; i < STEPS; i++) {
                EncodedKey key = key("place" + random.nextInt(2));
                Place before = places.getOrDefault(key, Place.NONE);
                Place after = step(key, before);
                places.put(key, after);
                check(key, after);
            }
        }

        private void check(EncodedKey key, Place place) {
            Description found = done(new Describe(key));
            checkLookup(found.lookup(), place);
            Expiry expiry = place.expiry();
            if (expiry.isNever()) {
                assertThat(found.expiresInMillis()).as(this::told).isNegative();
            } else {
                assertThat(found.expiresInMillis()).as(this::told).isBetween(expiry.millis() - 20_000, expiry.millis());
            }
            checkLookup(get(key), place);
            checkLookup(done(new GetAll(List.of(key, key("nothing")))).get(0), place);
        }

        private void checkLookup(Lookup found, Place place) {
            assertThat(found.outcome()).as(this::told).isEqualTo(place.outcome());
            assertThat(found.mark()).as(this::told).isEqualTo(place.stamp());
            assertThat(found.isReserved()).as(this::told).isEqualTo(place.isReserved());
            Envelope envelope = found.envelope();
            if (envelope != null) {
                Envelope entry = Objects.requireNonNull(place.entry());
                assertThat(envelope.payload()).as(this::told).isEqualTo(entry.payload());
                assertThat(envelope.freshUntilMillis()).as(this::told).isEqualTo(place.fresh());
            }
        }

        private void expect(boolean actual, boolean expected) {
            assertThat(actual).as(this::told).isEqualTo(expected);
        }

        private Place step(EncodedKey key, Place before) {
            Expiry expiry = expiry();
            long stamp = stamp();
            long expected = oneOf(before.stamp(), before.stamp(), before.stamp(), Command.ABSENT, 4711L);
            int kind = random.nextInt(14);
            last = kind + " expecting " + expected + " of " + before + ", " + expiry;
            switch (kind) {
                case 0, 1 -> {
                    Put put = new Put(
                            key, entry(stamp), oneOf(Expiry.NEVER, MINUTE), before.isReserved() ? HOUR : expiry);
                    if (kind == 0) {
                        expect(done(put), true);
                        return before.overwritten(put);
                    }
                    Put first = new Put(key, envelope("one"), put.onCreation(), put.onUpdate());
                    done(new PutAll(List.of(first, put)));
                    return before.overwritten(first).overwritten(put);
                }
                case 2 -> {
                    Envelope next = random.nextInt(4) == 0 ? Envelope.negative(stamp) : entry(stamp);
                    Expiry until = before.isReserved() ? MINUTE : expiry;
                    Envelope known =
                            before.entry() != null && before.entry().stamp() == expected ? before.entry() : null;
                    expect(done(new CompareAndSet(key, expected, next, until, known)), before.fits(expected));
                    Expiry old = before.isEntry() ? before.expiry() : Expiry.NEVER;
                    return before.fits(expected) ? Place.of(next, until.isUnchanged() ? old : until) : before;
                }
                case 3 -> {
                    boolean fits = expected != Command.ABSENT && before.fits(expected);
                    expect(done(new CompareAndExpire(key, expected, expiry)), fits);
                    return fits ? before.expiring(expiry) : before;
                }
                case 4 -> {
                    boolean fits = expected == Command.ABSENT ? !before.isEntry() : before.fits(expected);
                    expect(done(new CompareAndRemove(key, expected)), fits);
                    return fits ? Place.NONE : before;
                }
                case 5, 6 -> {
                    boolean isFree = !before.isEntry()
                            && before.outcome() != Outcome.LEASED
                            && before.outcome() != Outcome.NEGATIVE
                            && !before.isReserved();
                    Place after = isFree ? new Place(Outcome.LEASED, stamp, false, null, 0, MINUTE) : before;
                    long asked = oneOf(stamp, before.outcome() == Outcome.LEASED ? before.stamp() : stamp);
                    checkLookup(done(new Lease(key, asked, MINUTE)), after);
                    return after;
                }
                case 7 -> {
                    boolean fits = before.isEntry()
                            && before.fresh() != 0
                            && !before.isReserved()
                            && expected == before.stamp();
                    expect(done(new Claim(key, expected, stamp, FRESH + 1)), fits);
                    return fits ? before.stamped(stamp, false, FRESH + 1, before.expiry()) : before;
                }
                case 8, 9 -> {
                    return reserved(key, before, oneOf(expected, Reserve.ANY), stamp);
                }
                case 10 -> {
                    boolean fits = before.isReserved() && expected == before.stamp();
                    expect(done(new GiveBack(key, expected, stamp, HOUR)), fits);
                    return !fits
                            ? before
                            : before.isEntry() ? before.stamped(stamp, false, before.fresh(), HOUR) : Place.NONE;
                }
                case 11 -> {
                    checkLookup(done(new GetAndExpire(key, expiry)), before);
                    return before.isEntry() && !before.isReserved() ? before.expiring(expiry) : before;
                }
                case 12 -> {
                    if (random.nextBoolean()) {
                        checkLookup(done(new GetAndRemove(key)), before);
                    } else {
                        long count = done(new RemoveAll(List.of(key, key("nothing"), key)));
                        assertThat(count).as(this::told).isEqualTo(before.outcome() == Outcome.ABSENT ? 0 : 1);
                    }
                    return Place.NONE;
                }
                default -> {
                    if (expiries > 0 && before.stamp() != Command.ABSENT) {
                        expiries--;
                        done(new CompareAndExpire(key, before.stamp(), SOON));
                        pass(A_MOMENT);
                        return Place.NONE;
                    }
                    ForeignBytes bytes = oneOf(ForeignBytes.ours().toArray(ForeignBytes[]::new));
                    storeRaw(key, bytes.under(key, connection().epoch()));
                    return Place.unreadable(bytes.outcome());
                }
            }
        }

        private Place reserved(EncodedKey key, Place before, long expected, long stamp) {
            boolean fits = !before.isReserved() && (expected == Reserve.ANY || before.fits(expected));
            Place after = !fits
                    ? before
                    : before.isEntry()
                            ? before.stamped(stamp, true, before.fresh(), MINUTE)
                            : new Place(Outcome.RESERVED, stamp, true, null, 0, MINUTE);
            Reservation reservation = done(new Reserve(key, expected, stamp, MINUTE.millis()));
            checkLookup(reservation.now(), after);
            if (fits && before.isEntry() && !before.expiry().isNever()) {
                assertThat(reservation.expiresInMillis())
                        .as(this::told)
                        .isBetween(
                                before.expiry().millis() - 20_000,
                                before.expiry().millis());
            } else if (fits) {
                assertThat(reservation.expiresInMillis()).as(this::told).isNegative();
            }
            return after;
        }

        private Envelope entry(long stamp) {
            byte[] payload = new byte[oneOf(0, 3, 3, 100, random.nextInt(20) == 0 ? 2 * 1024 * 1024 : 22)];
            random.nextBytes(payload);
            return random.nextBoolean() ? Envelope.of(stamp, payload) : Envelope.timed(stamp, FRESH, payload);
        }

        private Expiry expiry() {
            return oneOf(Expiry.NEVER, Expiry.UNCHANGED, MINUTE, HOUR);
        }

        @SafeVarargs
        private <T> T oneOf(T... choices) {
            return choices[random.nextInt(choices.length)];
        }

        private String told() {
            return "seed %d, %s".formatted(seed, last);
        }
    }

    @RepeatedTest(5)
    void randomCommands_areAnsweredAsByTheModel() {
        new History().run();
    }

    /** Readers and scripts must draw the same line between entries and what is none, wherever a bit has changed. */
    @Nested
    class FlippedBits {
        @Test
        void entriesAndPlaceholders_areNoneForScriptsExactlyIfReadersSaySo() {
            assertSameForAll(Envelope.of(stamp(), new byte[] {1, 2, 3}));
            assertSameForAll(Envelope.timed(stamp(), FRESH, new byte[] {1, 2, 3}));
            assertSameForAll(Envelope.lease(stamp()));
            assertSameForAll(Envelope.negative(stamp()));
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
