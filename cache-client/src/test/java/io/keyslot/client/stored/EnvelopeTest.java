// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ForeignBytes;
import io.keyslot.client.partition.PartitionFixture;
import io.keyslot.client.stored.Lookup.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EnvelopeTest {
    private static final EncodedKey KEY = EncodedKey.of("customer:99");
    private static final int EPOCH = 0x0badcafe;
    private static final long STAMP = 0x0123_4567_89ab_cdefL;
    private static final byte[] ADA = "Ada".getBytes(StandardCharsets.UTF_8);

    /** The header of the example of docs/contributing/envelope.md, and any payload. What a released version has written stays readable: never change it. */
    private static final String GOLDEN = "01" // format
            + "00" // flags
            + "0badcafe" // slot epoch
            + "00000000" // cache generation
            + "61771447" // CRC-32C of customer:99
            + "0123456789abcdef" // stamp
            + "416461"; // Ada

    private static final long FRESH_UNTIL = 0x0000_018b_cfe5_6800L;

    /** The same as an entry with an end of its freshness. */
    private static final String GOLDEN_TIMED =
            "01020badcafe00000000617714470123456789abcdef" + "0000018bcfe56800416461";

    private static final String GOLDEN_LEASE = "01010badcafe00000000617714470123456789abcdef";
    private static final String GOLDEN_NEGATIVE = "01040badcafe00000000617714470123456789abcdef";

    @Nested
    class ToBytes {
        @Test
        void layoutOfEachForm_isTheDocumentedOne() {
            assertThat(hex(Envelope.timed(STAMP, FRESH_UNTIL, ADA))).isEqualTo(GOLDEN_TIMED);
            assertThat(hex(Envelope.lease(STAMP))).isEqualTo(GOLDEN_LEASE);
            assertThat(hex(Envelope.negative(STAMP))).isEqualTo(GOLDEN_NEGATIVE);
        }

        private String hex(Envelope envelope) {
            return HexFormat.of().formatHex(envelope.toBytes(KEY, EPOCH));
        }
    }

    @Nested
    class Read {
        @Test
        void goldenBytes_areFound() {
            Lookup lookup = Envelope.read(KEY, EPOCH, golden(), false);

            assertThat(lookup.outcome()).isEqualTo(Outcome.FOUND);
            assertThat(lookup.stamp()).isEqualTo(STAMP);
            assertThat(PartitionFixture.text(lookup)).isEqualTo("Ada");
        }

        @ParameterizedTest
        @EnumSource
        void bytesThatAreNoEntry_sayWhy(ForeignBytes foreign) {
            Lookup lookup = Envelope.read(KEY, EPOCH, foreign.under(KEY, EPOCH), false);

            assertThat(lookup.outcome()).isEqualTo(foreign.outcome());
            assertThat(lookup.envelope()).isNull();
            assertThat(lookup.stamp()).isEqualTo(Command.ABSENT);
        }

        @Test
        void newerFormat_isKnownBeforeAnythingElseIsLookedAt() {
            byte[] bytes = new byte[Envelope.HEADER_BYTES];
            bytes[0] = Byte.MAX_VALUE;

            assertThat(Envelope.read(KEY, EPOCH, bytes, false).outcome()).isEqualTo(Outcome.NEWER_FORMAT);
        }
    }

    @Nested
    class Payload {
        @Test
        void readers_doNotDisturbEachOther() {
            Envelope envelope = Envelope.of(STAMP, ADA);

            ByteBuffer first = envelope.payload();
            first.position(first.limit());

            assertThat(envelope.payload().remaining()).isEqualTo(3);
            assertThat(envelope.sizeBytes()).isEqualTo(25);
        }

        @Test
        void payloadThatOthersReadAsWell_isReadOnly_andThatOfOneReaderIsNot() {
            Envelope own = Envelope.read(KEY, EPOCH, golden(), false).envelope();
            Envelope shared = Envelope.read(KEY, EPOCH, golden(), true).envelope();

            assertThat(own).isNotNull();
            assertThat(shared).isNotNull();
            assertThat(own.payload().isReadOnly()).isFalse();
            assertThat(shared.payload().isReadOnly()).isTrue();
            assertThat(shared.payload()).isEqualTo(own.payload());
        }
    }

    private static byte[] golden() {
        return HexFormat.of().parseHex(GOLDEN);
    }
}
