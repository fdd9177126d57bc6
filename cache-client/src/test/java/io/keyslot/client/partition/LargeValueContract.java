// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command.Claim;
import io.keyslot.client.partition.Command.CompareAndExpire;
import io.keyslot.client.partition.Command.CompareAndRemove;
import io.keyslot.client.partition.Command.CompareAndSet;
import io.keyslot.client.partition.Command.Describe;
import io.keyslot.client.partition.Command.GetAll;
import io.keyslot.client.partition.Command.GetAndExpire;
import io.keyslot.client.partition.Command.GetAndRemove;
import io.keyslot.client.partition.Command.Lease;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.partition.Command.PutAll;
import io.keyslot.client.partition.Command.RemoveAll;
import io.keyslot.client.partition.Command.Scan;
import io.keyslot.client.partition.Command.Sizes;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Lookup.Outcome;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every engine does with large values: the same as with others, however it stores them. */
public abstract class LargeValueContract extends PutBatchContract {
    private static final int MEBIBYTE = 1024 * 1024;
    private static final int LARGE = 3 * MEBIBYTE;
    private static final long FRESH_UNTIL = 1_700_000_000_000L;

    private static Envelope large() {
        return envelope(random(LARGE));
    }

    private static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        new Random(bytes).nextBytes(random);
        return random;
    }

    private Envelope putLarge(EncodedKey key, Expiry expiry) {
        Envelope envelope = large();
        assertThat(done(new Put(key, envelope, expiry, expiry))).isTrue();
        return envelope;
    }

    private void assertHolds(EncodedKey key, Envelope expected) {
        assertIs(get(key), expected);
    }

    private static void assertIs(Lookup found, Envelope expected) {
        assertThat(found.outcome()).isEqualTo(Outcome.FOUND);
        assertThat(found.stamp()).isEqualTo(expected.stamp());
        assertThat(found.envelope()).extracting(Envelope::payload).isEqualTo(expected.payload());
    }

    @Nested
    class ValuesOfEachSize {
        /** The entry has 22 bytes more, and is a large one beyond 1 MiB. */
        @ParameterizedTest
        @ValueSource(
                ints = {
                    MEBIBYTE - 22,
                    MEBIBYTE - 21,
                    MEBIBYTE - 1,
                    MEBIBYTE,
                    MEBIBYTE + 1,
                    3 * MEBIBYTE / 2,
                    3 * MEBIBYTE / 2 + 1,
                    LARGE,
                    8 * MEBIBYTE
                })
        void value_comesBackByteForByteWithItsStamp(int size) {
            Envelope value = envelope(random(size));

            assertThat(done(new Put(key("a"), value, MINUTE, MINUTE))).isTrue();

            assertHolds(key("a"), value);
            assertThat(done(new Describe(key("a"))).sizeBytes()).isEqualTo(value.sizeBytes());
            assertThat(done(new Sizes(List.of(key("a"), key("b"))))).containsExactly((long) value.sizeBytes(), 0L);
            assertExpiry(key("a"), MINUTE);
        }

        @Test
        void timedValue_keepsTheEndOfItsFreshness() {
            Envelope value = Envelope.timed(stamp(), FRESH_UNTIL, random(LARGE));

            done(new Put(key("a"), value, MINUTE, MINUTE));

            assertHolds(key("a"), value);
            assertThat(get(key("a")).envelope())
                    .extracting(Envelope::freshUntilMillis)
                    .isEqualTo(FRESH_UNTIL);
            assertThat(done(new Sizes(List.of(key("a"))))).containsExactly((long) value.sizeBytes());
        }

        @Test
        void keyWithAnyBytes_mayHaveALargeValue() {
            for (String name : List.of("}", "{}", "}{", "{", "{tag}", "x{tag}y", "{}x{tag}", "клю\u20acч", "")) {
                EncodedKey key = EncodedKey.of(name + (name.isEmpty() ? "" : prefix()));
                Envelope value = putLarge(key, MINUTE);

                assertHolds(key, value);
            }
        }
    }

    @Nested
    class Overwriting {
        @ParameterizedTest
        @MethodSource("io.keyslot.client.partition.LargeValueContract#updates")
        void presentEntry_isReplacedAndExpiresAsSaid(
                Envelope before, Envelope after, Expiry onCreation, Expiry onUpdate, Expiry expected) {
            done(new Put(key("a"), before, MINUTE, MINUTE));

            assertThat(doneAtLast(new Put(key("a"), after, onCreation, onUpdate)))
                    .isTrue();

            assertHolds(key("a"), after);
            assertExpiry(key("a"), expected);
        }

        @Test
        void largeOverWhatDoesNotExpire_staysSo() {
            putLarge(key("a"), Expiry.NEVER);

            done(new Put(key("a"), large(), MINUTE, Expiry.UNCHANGED));

            assertExpiry(key("a"), Expiry.NEVER);
        }

        @Test
        void largeOverALease_expiresAsANewOne() {
            done(new Lease(key("a"), stamp(), HOUR));

            done(new Put(key("a"), large(), MINUTE, Expiry.UNCHANGED));

            assertExpiry(key("a"), MINUTE);
        }

        @Test
        void putAll_storesSmallAndLargeOnes() {
            putLarge(key("c"), MINUTE);
            Envelope one = large();
            Envelope two = envelope("two");
            Envelope three = large();
            Envelope four = large();

            List<Reply<Boolean>> replies = done(new PutAll(List.of(
                    new Put(key("a"), one, MINUTE, MINUTE),
                    new Put(key("b"), two, MINUTE, MINUTE),
                    new Put(key("c"), three, MINUTE, HOUR),
                    new Put(key("d"), large(), Expiry.NEVER, Expiry.NEVER),
                    new Put(key("d"), four, Expiry.NEVER, Expiry.NEVER))));

            assertThat(replies).extracting(PartitionFixture::answer).containsOnly(true);
            assertHolds(key("a"), one);
            assertHolds(key("b"), two);
            assertHolds(key("c"), three);
            assertExpiry(key("c"), HOUR);
            assertHolds(key("d"), four);
        }
    }

    static Stream<Arguments> updates() {
        return Stream.of(
                Arguments.of(large(), large(), HOUR, HOUR, HOUR),
                Arguments.of(large(), large(), HOUR, Expiry.NEVER, Expiry.NEVER),
                Arguments.of(large(), large(), HOUR, Expiry.UNCHANGED, MINUTE),
                Arguments.of(envelope("small"), large(), Expiry.NEVER, Expiry.NEVER, Expiry.NEVER),
                Arguments.of(envelope("small"), large(), Expiry.NEVER, Expiry.UNCHANGED, MINUTE),
                Arguments.of(envelope("small"), large(), HOUR, MINUTE, MINUTE),
                Arguments.of(large(), envelope("small"), HOUR, HOUR, HOUR),
                Arguments.of(large(), envelope("small"), Expiry.NEVER, Expiry.NEVER, Expiry.NEVER),
                Arguments.of(large(), envelope("small"), Expiry.NEVER, Expiry.UNCHANGED, MINUTE),
                Arguments.of(large(), envelope("small"), HOUR, MINUTE, MINUTE));
    }

    @Nested
    class Comparing {
        @Test
        void compareAndSet_ofALargeOne_dependsOnTheStamp() {
            Envelope one = large();
            Envelope two = large();

            assertThat(compareAndSet(key("a"), Command.ABSENT, one)).isTrue();
            assertThat(compareAndSet(key("a"), Command.ABSENT, two)).isFalse();
            assertThat(compareAndSet(key("a"), one.stamp() + 1, two)).isFalse();
            assertHolds(key("a"), one);
            assertThat(compareAndSet(key("a"), one.stamp(), two)).isTrue();

            assertHolds(key("a"), two);
        }

        @Test
        void compareAndSet_ofASmallOneForALargeOne_dependsOnTheStamp() {
            Envelope large = putLarge(key("a"), MINUTE);
            Envelope small = envelope("small");

            assertThat(compareAndSet(key("a"), Command.ABSENT, small)).isFalse();
            assertThat(done(new CompareAndSet(key("a"), large.stamp(), small, Expiry.UNCHANGED)))
                    .isTrue();

            assertHolds(key("a"), small);
            assertExpiry(key("a"), MINUTE);
        }

        @Test
        void compareAndSet_ofALargeOneForASmallOne_keepsTheExpiryIfSo() {
            Envelope small = put(key("a"), "small", MINUTE);
            Envelope large = large();

            assertThat(done(new CompareAndSet(key("a"), small.stamp(), large, Expiry.UNCHANGED)))
                    .isTrue();

            assertHolds(key("a"), large);
            assertExpiry(key("a"), MINUTE);
        }

        @Test
        void fillOfALease_withALargeOne_neverExpiresIfUnchanged() {
            long lease = stamp();
            done(new Lease(key("a"), lease, MINUTE));
            Envelope large = large();

            assertThat(done(new CompareAndSet(key("a"), lease, large, Expiry.UNCHANGED)))
                    .isTrue();

            assertHolds(key("a"), large);
            assertExpiry(key("a"), Expiry.NEVER);
        }

        @Test
        void compareAndExpire_dependsOnTheStamp() {
            Envelope large = putLarge(key("a"), MINUTE);

            assertThat(done(new CompareAndExpire(key("a"), large.stamp() + 1, HOUR)))
                    .isFalse();
            assertExpiry(key("a"), MINUTE);
            assertThat(done(new CompareAndExpire(key("a"), large.stamp(), HOUR)))
                    .isTrue();
            assertExpiry(key("a"), HOUR);
            assertThat(done(new CompareAndExpire(key("a"), large.stamp(), Expiry.NEVER)))
                    .isTrue();

            assertExpiry(key("a"), Expiry.NEVER);
            assertHolds(key("a"), large);
        }

        @Test
        void compareAndRemove_dependsOnTheStamp() {
            Envelope large = putLarge(key("a"), MINUTE);

            assertThat(done(new CompareAndRemove(key("a"), large.stamp() + 1))).isFalse();
            assertThat(done(new CompareAndRemove(key("a"), Command.ABSENT))).isFalse();
            assertHolds(key("a"), large);
            assertThat(done(new CompareAndRemove(key("a"), large.stamp()))).isTrue();

            assertThat(get(key("a"))).isEqualTo(Lookup.absent());
        }

        @Test
        void lease_ofALargeOne_answersIt() {
            Envelope large = putLarge(key("a"), HOUR);

            assertIs(done(new Lease(key("a"), stamp(), MINUTE)), large);

            assertHolds(key("a"), large);
            assertExpiry(key("a"), HOUR);
        }

        @Test
        void claim_changesStampAndFreshnessAndNothingElse() {
            Envelope before = Envelope.timed(stamp(), FRESH_UNTIL, random(LARGE));
            done(new Put(key("a"), before, MINUTE, MINUTE));
            long claim = stamp();

            assertThat(done(new Claim(key("a"), before.stamp() + 1, stamp(), -1)))
                    .isFalse();
            assertThat(done(new Claim(key("a"), before.stamp(), claim, -FRESH_UNTIL)))
                    .isTrue();
            assertThat(done(new Claim(key("a"), before.stamp(), claim, -FRESH_UNTIL)))
                    .isTrue();

            Lookup found = get(key("a"));
            assertThat(found.stamp()).isEqualTo(claim);
            assertThat(found.envelope())
                    .extracting(Envelope::freshUntilMillis, Envelope::payload)
                    .containsExactly(-FRESH_UNTIL, before.payload());
            assertExpiry(key("a"), MINUTE);
        }

        @Test
        void claim_ofALargeOneWithoutFreshness_isDenied() {
            Envelope large = putLarge(key("a"), MINUTE);

            assertThat(done(new Claim(key("a"), large.stamp(), stamp(), -1))).isFalse();

            assertHolds(key("a"), large);
        }
    }

    @Nested
    class Reading {
        @Test
        void getAll_findsLargeOnesAmongOthers() {
            Envelope a = putLarge(key("a"), MINUTE);
            Envelope b = put(key("b"), "small");
            Envelope d = putLarge(key("d"), MINUTE);

            List<Lookup> found = done(new GetAll(List.of(key("d"), key("c"), key("b"), key("a"), key("d"))));

            assertThat(found).hasSize(5);
            assertIs(found.get(0), d);
            assertThat(found.get(1)).isEqualTo(Lookup.absent());
            assertIs(found.get(2), b);
            assertIs(found.get(3), a);
            assertIs(found.get(4), d);
        }

        @Test
        void getAll_ofManyMissingKeys_findsTheLargeOne() {
            List<EncodedKey> keys = keys("k", 2_500);
            Envelope large = putLarge(keys.get(2_400), MINUTE);

            List<Lookup> found = done(new GetAll(keys));

            assertThat(found).hasSize(2_500).filteredOn(Lookup::isFound).hasSize(1);
            assertIs(found.get(2_400), large);
        }

        @Test
        void getAndExpire_answersItAndChangesItsExpiry() {
            Envelope large = putLarge(key("a"), MINUTE);

            assertIs(done(new GetAndExpire(key("a"), HOUR)), large);
            assertExpiry(key("a"), HOUR);
            assertIs(done(new GetAndExpire(key("a"), Expiry.UNCHANGED)), large);
            assertExpiry(key("a"), HOUR);
            assertIs(done(new GetAndExpire(key("a"), Expiry.NEVER)), large);

            assertExpiry(key("a"), Expiry.NEVER);
        }

        @Test
        void scan_listsTheKeyAndNoOther() {
            putLarge(key("a"), MINUTE);

            ScanPage page = done(new Scan(ScanPage.START, "", 1_000_000));

            assertThat(page.keys())
                    .contains(key("a"))
                    .filteredOn(key -> key.text().contains(key("a").text()))
                    .hasSize(1);
        }

        @Test
        void anotherConnection_readsIt() throws Exception {
            Envelope large = putLarge(key("a"), MINUTE);

            try (PartitionConnection other = connector().connect().get()) {
                assertIs(answer(reply(other, new Command.Get(key("a")))), large);
            }
        }
    }

    @Nested
    class Ending {
        @Test
        void largeOne_expires() {
            Envelope large = putLarge(key("a"), SOON);
            pass(A_MOMENT);

            assertThat(get(key("a"))).isEqualTo(Lookup.absent());
            assertThat(done(new GetAll(List.of(key("a"))))).containsExactly(Lookup.absent());
            assertThat(done(new Sizes(List.of(key("a"))))).containsExactly(0L);
            assertThat(compareAndSet(key("a"), large.stamp(), envelope("one"))).isFalse();
        }

        @Test
        void getAndRemove_answersItOnce() {
            Envelope large = putLarge(key("a"), MINUTE);

            assertIs(doneAtLast(new GetAndRemove(key("a"))), large);

            assertThat(doneAtLast(new GetAndRemove(key("a")))).isEqualTo(Lookup.absent());
            assertThat(get(key("a"))).isEqualTo(Lookup.absent());
        }

        @Test
        void getAndRemove_ofASmallOneWhereALargeOneWas_answersIt() {
            putLarge(key("a"), MINUTE);
            doneAtLast(new GetAndRemove(key("a")));
            Envelope small = put(key("a"), "small");

            assertIs(doneAtLast(new GetAndRemove(key("a"))), small);

            assertThat(readRaw(key("a"))).isEmpty();
        }

        @Test
        void removeAll_countsLargeAndSmallOnes() {
            putLarge(key("a"), MINUTE);
            put(key("b"), "small");

            assertThat(done(new RemoveAll(List.of(key("a"), key("b"), key("c")))))
                    .isEqualTo(2);

            assertThat(get(key("a"))).isEqualTo(Lookup.absent());
        }
    }
}
