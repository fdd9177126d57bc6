// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command.CompareAndExpire;
import io.keyslot.client.partition.Command.CompareAndSet;
import io.keyslot.client.partition.Command.Describe;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.Command.GetAll;
import io.keyslot.client.partition.Command.GetAndExpire;
import io.keyslot.client.partition.Command.GetAndRemove;
import io.keyslot.client.partition.Command.Lease;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.partition.Command.PutAll;
import io.keyslot.client.partition.Command.Reserve;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch of puts leaves what the same puts leave one by one, whatever was there. Part of {@link PartitionContract}. */
public abstract class PutBatchContract extends PartitionFixture {
    private static final int MOST_PUTS = 40;
    private static final int SMALL = 20;

    /** Larger than what is sent together with others. */
    private static final int NOT_SMALL = 5_000;

    private static final int LARGE = 1024 * 1024;

    /** How many things there are under keys for each large one. */
    private static final int ONE_LARGE_IN = 60;

    private static final List<ForeignBytes> FOREIGN = ForeignBytes.ours().toList();

    /** What may be under a key before the puts. */
    private enum Before {
        NOTHING,
        ENTRY_THAT_LASTS,
        ENTRY_THAT_EXPIRES,
        ENTRY_THAT_WAS_GIVEN_AN_EXPIRY,
        LEASE,
        NEGATIVE,
        RESERVED_ENTRY,
        FOREIGN_BYTES
    }

    @Nested
    class ValuesOfEachSize {
        @ParameterizedTest
        @ValueSource(ints = {0, 1, 1024 * 1024, 8 * 1024 * 1024})
        void value_isStoredReplacedAndTakenByteForByte(int size) {
            byte[] bytes = new byte[size];
            new Random(size).nextBytes(bytes);
            Envelope value = envelope(bytes);
            Envelope next = Envelope.timed(stamp(), Long.MAX_VALUE, bytes);

            done(new Put(key("a"), value, MINUTE, MINUTE));
            assertHolds(get(key("a")), value);
            assertHolds(done(new GetAll(List.of(key("b"), key("a")))).get(1), value);
            assertThat(done(new CompareAndSet(key("a"), value.stamp() + 1, next, HOUR)))
                    .isFalse();
            assertThat(done(new CompareAndSet(key("a"), value.stamp(), next, HOUR)))
                    .isTrue();
            assertHolds(done(new GetAndExpire(key("a"), MINUTE)), next);
            assertHolds(done(new GetAndRemove(key("a"))), next);

            assertThat(get(key("a")).isFound()).isFalse();
        }

        private void assertHolds(Lookup found, Envelope expected) {
            assertThat(found.stamp()).isEqualTo(expected.stamp());
            assertThat(found.envelope()).extracting(Envelope::payload).isEqualTo(expected.payload());
        }
    }

    @Nested
    class PutBatch {
        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18})
        void batch_leavesWhatSinglePutsLeave(long seed) {
            Random random = new Random(seed);
            int count = 1 + random.nextInt(MOST_PUTS);
            boolean isDefault = random.nextBoolean();
            boolean areAlike = random.nextBoolean();
            List<Put> batch = new ArrayList<>();
            List<Put> singles = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                EncodedKey one = key("one" + i);
                EncodedKey another = key("another" + i);
                prepare(random, one, another);
                Put put = put(areAlike ? new Random(seed) : random, one, isDefault);
                singles.add(put);
                batch.add(new Put(another, put.envelope(), put.onCreation(), put.onUpdate()));
            }

            singles.forEach(put -> assertThat(doneAtLast(put)).isTrue());
            assertThat(doneAtLast(batch)).hasSize(count).containsOnly(true);

            for (int i = 0; i < count; i++) {
                assertAlike(singles.get(i), batch.get(i), "put %d of seed %d".formatted(i, seed));
            }
        }

        @Test
        void expiryOfPresentEntries_staysAsItIs() {
            List<EncodedKey> lasting = keys("lasting", 9);
            List<EncodedKey> expiring = keys("expiring", 9);
            List<EncodedKey> fresh = keys("new", 9);
            lasting.forEach(key -> put(key, "before", Expiry.NEVER));
            expiring.forEach(key -> put(key, "before", HOUR));
            List<Put> puts = new ArrayList<>();
            for (List<EncodedKey> keys : List.of(lasting, expiring, fresh)) {
                keys.forEach(key -> puts.add(new Put(key, envelope("after"), Expiry.NEVER, Expiry.UNCHANGED)));
            }

            assertThat(done(new PutAll(puts))).hasSize(27).containsOnly(Reply.done(true));

            lasting.forEach(key -> assertExpiry(key, Expiry.NEVER));
            expiring.forEach(key -> assertExpiry(key, HOUR));
            fresh.forEach(key -> assertExpiry(key, Expiry.NEVER));
            puts.forEach(put -> assertThat(text(get(put.key()))).isEqualTo("after"));
        }
    }

    /** Lets the same be under two keys. */
    private void prepare(Random random, EncodedKey one, EncodedKey another) {
        Before before = Before.values()[random.nextInt(Before.values().length)];
        Expiry expiry = random.nextBoolean() ? MINUTE : HOUR;
        byte[] value = new byte[random.nextInt(ONE_LARGE_IN) == 0 ? LARGE : SMALL];
        ForeignBytes foreign = FOREIGN.get(random.nextInt(FOREIGN.size()));
        for (EncodedKey key : List.of(one, another)) {
            Envelope entry = envelope(value);
            switch (before) {
                case NOTHING -> assertThat(get(key).isFound()).isFalse();
                case ENTRY_THAT_LASTS -> done(new Put(key, entry, Expiry.NEVER, Expiry.NEVER));
                case ENTRY_THAT_EXPIRES -> done(new Put(key, entry, expiry, expiry));
                case ENTRY_THAT_WAS_GIVEN_AN_EXPIRY -> {
                    done(new Put(key, entry, Expiry.NEVER, Expiry.NEVER));
                    assertThat(done(new CompareAndExpire(key, entry.stamp(), expiry)))
                            .isTrue();
                }
                case LEASE -> done(new Lease(key, stamp(), expiry));
                case NEGATIVE -> done(new Put(key, Envelope.negative(stamp()), expiry, expiry));
                case RESERVED_ENTRY -> {
                    done(new Put(key, entry, Expiry.NEVER, Expiry.NEVER));
                    done(new Reserve(key, entry.stamp(), stamp(), MINUTE.millis()));
                }
                case FOREIGN_BYTES ->
                    storeRaw(key, foreign.under(key, connection().epoch()));
            }
        }
    }

    /** @param isDefault whether it is one of a cache whose entries do not expire */
    private static Put put(Random random, EncodedKey key, boolean isDefault) {
        int size = random.nextInt(8) == 0 ? NOT_SMALL : SMALL;
        Envelope envelope = random.nextInt(4) == 0
                ? Envelope.timed(stamp(), Long.MAX_VALUE, new byte[size])
                : envelope(new byte[size]);
        if (isDefault || random.nextBoolean()) {
            return new Put(key, envelope, Expiry.NEVER, Expiry.UNCHANGED);
        }
        Expiry creation = random.nextBoolean() ? Expiry.NEVER : MINUTE;
        return new Put(
                key,
                envelope,
                creation,
                List.of(creation, Expiry.UNCHANGED, HOUR).get(random.nextInt(3)));
    }

    /** What is refused for now is sent again, as a router would. */
    private List<Boolean> doneAtLast(List<Put> batch) {
        List<Reply<Boolean>> replies = done(new PutAll(batch));
        List<Boolean> done = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            boolean isForNow = replies.get(i) instanceof Reply.Refused<Boolean> refused
                    && refused.refusal().isWorthAnotherAttempt();
            done.add(isForNow ? doneAtLast(batch.get(i)) : answer(replies.get(i)));
        }
        return done;
    }

    private void assertAlike(Put single, Put ofBatch, String which) {
        Description one = done(new Describe(single.key()));
        Description another = done(new Describe(ofBatch.key()));
        assertThat(another.lookup().outcome()).as(which).isEqualTo(one.lookup().outcome());
        assertThat(another.lookup().stamp())
                .as(which)
                .isEqualTo(single.envelope().stamp())
                .isEqualTo(one.lookup().stamp());
        Expiry expected =
                one.expiresInMillis() < 0 ? Expiry.NEVER : one.expiresInMillis() > MINUTE.millis() ? HOUR : MINUTE;
        assertRemaining(single.key(), expected);
        assertRemaining(ofBatch.key(), expected);
    }
}
