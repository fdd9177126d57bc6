// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command.CompareAndRemove;
import io.keyslot.client.partition.Command.GetAll;
import io.keyslot.client.partition.Command.GetAndExpire;
import io.keyslot.client.partition.Command.GetAndRemove;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Lookup.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every engine does with values that stand alone under their keys. */
public abstract class RawContract extends PlaceContract {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Envelope bare(String text) {
        return Envelope.bare(bytes(text), true);
    }

    private static long stampOf(String text) {
        return Envelope.fingerprint(bytes(text));
    }

    private EncodedKey rawKey(String name) {
        return key(name).raw();
    }

    private void putRaw(EncodedKey key, String text, Expiry expiry) {
        assertThat(done(new Put(key, bare(text), expiry, expiry))).isTrue();
    }

    @Nested
    class RawValues {
        @ParameterizedTest
        @ValueSource(strings = {"", "x", "no more than twenty-one", "a longer text than any header has, by far"})
        void whatAForeignClientHasStored_isAnEntryWithItsFingerprint(String text) {
            storeRaw(rawKey("a"), bytes(text));

            Lookup found = get(rawKey("a"));

            assertThat(text(found)).isEqualTo(text);
            assertThat(found.stamp()).isEqualTo(stampOf(text));
            assertThat(compareAndSet(rawKey("a"), stampOf(text), bare("ours"))).isTrue();
            assertThat(readRaw(rawKey("a"))).contains(bytes("ours"));
        }

        @Test
        void entriesWithAndWithoutHeader_areReadTogether() {
            put(key("b"), "enveloped");
            putRaw(rawKey("a"), "raw", Expiry.NEVER);

            List<Lookup> found = done(new GetAll(List.of(rawKey("a"), key("b"), key("a"), rawKey("b"))));

            assertThat(text(found.get(0))).isEqualTo("raw");
            assertThat(text(found.get(1))).isEqualTo("enveloped");
            assertThat(found.get(2).outcome()).isEqualTo(Outcome.MALFORMED);
            assertThat(found.get(3).outcome()).isEqualTo(Outcome.OTHER_LAYOUT);
        }
    }

    @Nested
    class RawExpiry {
        @Test
        void expiredOne_isGone() {
            putRaw(rawKey("a"), "1", SOON);
            pass(A_MOMENT);

            assertThat(get(rawKey("a"))).isEqualTo(Lookup.absent());
            assertThat(compareAndSet(rawKey("a"), stampOf("1"), bare("2"))).isFalse();
        }
    }

    @Nested
    class OfTheOtherLayout {
        @Test
        void entryWithAHeader_isNoneAndIsReplaced() {
            put(key("a"), "enveloped", MINUTE);

            assertThat(get(rawKey("a")).outcome()).isEqualTo(Outcome.OTHER_LAYOUT);
            assertThat(done(new CompareAndRemove(rawKey("a"), stampOf("enveloped"))))
                    .isFalse();
            assertThat(compareAndSet(rawKey("a"), Command.ABSENT, bare("raw"))).isTrue();
            assertThat(readRaw(rawKey("a"))).contains(bytes("raw"));
        }

        @Test
        void entryWithAHeader_isReplacedByAPut_withTheExpiryOfANewOne() {
            put(key("a"), "enveloped", MINUTE);

            done(new Put(rawKey("a"), bare("raw"), HOUR, Expiry.UNCHANGED));

            assertExpiry(rawKey("a"), HOUR);
        }

        @ParameterizedTest
        @EnumSource(ForeignBytes.class)
        void bytes_areAnEntry_unlessTheyHaveTheChecksumOfTheKey(ForeignBytes foreign) {
            byte[] stored = foreign.under(rawKey("a"), connection().epoch());
            storeRaw(rawKey("a"), stored);

            Outcome expected = Envelope.isOurs(rawKey("a"), stored) ? Outcome.OTHER_LAYOUT : Outcome.FOUND;
            assertThat(get(rawKey("a")).outcome()).isEqualTo(expected);
            assertThat(compareAndSet(rawKey("a"), Command.ABSENT, bare("new")))
                    .isEqualTo(expected == Outcome.OTHER_LAYOUT);
        }
    }

    @Nested
    class ComparedValues {
        @Test
        void valueThatIsBackAgain_isTheExpectedOne() {
            putRaw(rawKey("a"), "A", Expiry.NEVER);
            long seen = get(rawKey("a")).stamp();
            putRaw(rawKey("a"), "B", Expiry.NEVER);
            assertThat(compareAndSet(rawKey("a"), seen, bare("C"))).isFalse();
            storeRaw(rawKey("a"), bytes("A"));

            assertThat(compareAndSet(rawKey("a"), seen, bare("C"))).isTrue();
        }

        /** Values of which some are alike, some are empty, and some begin with what means something elsewhere. */
        private static final List<byte[]> VALUES = List.of(
                new byte[0],
                new byte[1],
                new byte[8],
                new byte[31],
                new byte[] {1, 0, 0, 0, 0, 0, 0, 0},
                bytes("{\"name\":\"Ada\"}"),
                bytes("{\"name\":\"Eve\"}"));

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4, 5})
        void randomCommandsAndForeignClients_areAnsweredAsByAMap(long seed) {
            Random random = new Random(seed);
            Map<EncodedKey, byte[]> model = new HashMap<>();
            Map<EncodedKey, Expiry> expiries = new HashMap<>();
            for (int i = 0; i < 400; i++) {
                EncodedKey key = rawKey("k" + random.nextInt(3));
                byte[] value = VALUES.get(random.nextInt(VALUES.size()));
                byte[] present = model.get(key);
                long expected = random.nextInt(4) == 0
                        ? Envelope.fingerprint(VALUES.get(random.nextInt(VALUES.size())))
                        : stampOf(present);
                boolean fits = expected == stampOf(present);
                String step = "seed %d, step %d".formatted(seed, i);
                switch (random.nextInt(8)) {
                    case 0 -> {
                        storeRaw(key, value); // a stranger
                        model.put(key, value);
                        expiries.put(key, Expiry.NEVER);
                    }
                    case 1 -> {
                        done(new Put(key, Envelope.bare(value, true), MINUTE, Expiry.UNCHANGED));
                        expiries.put(key, present == null ? MINUTE : expiries.getOrDefault(key, MINUTE));
                        model.put(key, value);
                    }
                    case 2 -> {
                        done(new Put(key, Envelope.bare(value, true), Expiry.NEVER, HOUR));
                        expiries.put(key, present == null ? Expiry.NEVER : HOUR);
                        model.put(key, value);
                    }
                    case 3 -> {
                        assertThat(compareAndSet(key, expected, Envelope.bare(value, true)))
                                .describedAs(step)
                                .isEqualTo(fits);
                        if (fits) {
                            model.put(key, value);
                            expiries.put(key, Expiry.NEVER);
                        }
                    }
                    case 4 -> {
                        assertThat(done(new CompareAndRemove(key, expected)))
                                .describedAs(step)
                                .isEqualTo(fits);
                        if (fits) {
                            model.remove(key);
                        }
                    }
                    case 5 -> {
                        assertThat(payloadOrNull(done(new GetAndRemove(key))))
                                .describedAs(step)
                                .isEqualTo(present);
                        model.remove(key);
                    }
                    case 6 -> {
                        assertThat(payloadOrNull(done(new GetAndExpire(key, MINUTE))))
                                .describedAs(step)
                                .isEqualTo(present);
                        expiries.put(key, MINUTE);
                    }
                    default ->
                        assertThat(payloadOrNull(get(key))).describedAs(step).isEqualTo(present);
                }
                assertThat(readRaw(key).orElse(null)).describedAs(step).isEqualTo(model.get(key));
                if (model.containsKey(key)) {
                    assertExpiry(key, expiries.getOrDefault(key, Expiry.NEVER));
                }
            }
        }

        private long stampOf(byte @Nullable [] value) {
            return value == null ? Command.ABSENT : Envelope.fingerprint(value);
        }

        private byte @Nullable [] payloadOrNull(Lookup lookup) {
            return lookup.isFound() ? payload(lookup) : null;
        }
    }
}
