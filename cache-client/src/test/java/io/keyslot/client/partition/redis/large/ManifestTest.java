// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestTest {
    private static final EncodedKey KEY = EncodedKey.of("customer:99");
    private static final int EPOCH = 0x0badcafe;
    private static final long STAMP = 0x0123_4567_89ab_cdefL;
    private static final long FRESH_UNTIL = 0x0000_018b_cfe5_6800L;
    private static final byte[] THREE_MEBIBYTES = new byte[3 * 1024 * 1024 + 1];

    /** The example of docs/envelope.md. What a released version has written stays readable: never change it. */
    private static final String GOLDEN = "01000badcafe00000000617714470123456789abcdef" // header
            + "00300001" // bytes of the payload
            + "00000007"; // parts

    private static final String GOLDEN_TIMED = "01020badcafe00000000617714470123456789abcdef" // header
            + "0000018bcfe56800" // fresh until
            + "00300001"
            + "00000007";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static Optional<Manifest> read(byte[] stored) {
        return Manifest.read(stored, bytes -> Envelope.read(KEY, EPOCH, bytes));
    }

    private static Manifest golden() {
        return read(bytes(GOLDEN)).orElseThrow();
    }

    @Nested
    class Of {
        @Test
        void layout_isTheDocumentedOne() {
            Envelope manifest = Manifest.of(Envelope.of(STAMP, THREE_MEBIBYTES));
            Envelope timed = Manifest.of(Envelope.timed(STAMP, FRESH_UNTIL, THREE_MEBIBYTES));

            assertThat(manifest.toBytes(KEY, EPOCH)).isEqualTo(bytes(GOLDEN));
            assertThat(timed.toBytes(KEY, EPOCH)).isEqualTo(bytes(GOLDEN_TIMED));
        }
    }

    @Nested
    class Read {
        @Test
        void goldenBytes_areReadForEver() {
            Manifest manifest = golden();

            assertThat(manifest.head().stamp()).isEqualTo(STAMP);
            assertThat(manifest.parts()).isEqualTo(7);
            assertThat(manifest.sizeBytes()).isEqualTo(22 + THREE_MEBIBYTES.length);
        }

        @Test
        void goldenBytesOfATimedValue_areReadForEver() {
            Manifest manifest = read(bytes(GOLDEN_TIMED)).orElseThrow();

            assertThat(manifest.head().envelope())
                    .extracting(Envelope::freshUntilMillis)
                    .isEqualTo(FRESH_UNTIL);
            assertThat(manifest.parts()).isEqualTo(7);
            assertThat(manifest.sizeBytes()).isEqualTo(30 + THREE_MEBIBYTES.length);
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 22, 29, 31, 38})
        void anotherLength_isNoManifest(int length) {
            assertThat(read(Arrays.copyOf(bytes(GOLDEN), length))).isEmpty();
        }

        @Test
        void missingField_isNoManifest() {
            assertThat(Manifest.read(null, bytes -> Lookup.absent())).isEmpty();
        }

        @Test
        void anotherEpoch_isTold() {
            Optional<Manifest> read = Manifest.read(bytes(GOLDEN), bytes -> Envelope.read(KEY, EPOCH + 1, bytes));

            assertThat(read).map(Manifest::head).map(Lookup::outcome).contains(Lookup.Outcome.OTHER_EPOCH);
        }

        @ParameterizedTest
        @ValueSource(strings = {"ffffffff", "80000000", "00000801"})
        void impossibleNumberOfParts_isNone(String parts) {
            assertThat(read(bytes(GOLDEN.substring(0, GOLDEN.length() - 8) + parts)))
                    .map(Manifest::parts)
                    .contains(0);
        }
    }

    @Nested
    class ReadMarked {
        @Test
        void byteThatNoFormatHas_marksAManifest() {
            Optional<Manifest> read =
                    Manifest.readMarked(bytes("00" + GOLDEN), bytes -> Envelope.read(KEY, EPOCH, bytes));

            assertThat(read)
                    .hasValueSatisfying(manifest ->
                            assertThat(manifest.isOfSameWriteAs(golden())).isTrue());
        }

        @Test
        void entryWithTheSameBytes_isNoManifest() {
            assertThat(Manifest.readMarked(bytes(GOLDEN), bytes -> Lookup.absent()))
                    .isEmpty();
        }

        @Test
        void nothingAndEmptyBytes_areNoManifests() {
            assertThat(Manifest.readMarked(null, bytes -> Lookup.absent())).isEmpty();
            assertThat(Manifest.readMarked(new byte[0], bytes -> Lookup.absent()))
                    .isEmpty();
        }
    }

    @Nested
    class IsOfSameWriteAs {
        @Test
        void sameStamp_isTheSameWrite() {
            assertThat(golden().isOfSameWriteAs(golden())).isTrue();
        }

        @Test
        void anotherStamp_isAnotherWrite() {
            Manifest other = read(bytes(GOLDEN.replace("cdef", "cdf0"))).orElseThrow();

            assertThat(golden().isOfSameWriteAs(other)).isFalse();
        }
    }

    @Nested
    class With {
        @Test
        void parts_areThePayloadOfTheEntry() {
            Lookup entry = golden().with(List.of(new byte[] {1, 2}, new byte[] {3}));

            assertThat(entry.stamp()).isEqualTo(STAMP);
            assertThat(entry.envelope())
                    .extracting(Envelope::payload)
                    .isEqualTo(Envelope.of(1, new byte[] {1, 2, 3}).payload());
        }
    }
}
