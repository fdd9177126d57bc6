// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.EntryLimits;
import io.keyslot.client.stored.Envelope;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartsTest {
    private static final int LARGEST_VALUE_BYTES = 512 * 1024 * 1024;

    private static Envelope entry(int payloadBytes) {
        byte[] payload = new byte[payloadBytes];
        new Random(payloadBytes).nextBytes(payload);
        return Envelope.of(1, payload);
    }

    @Test
    void entriesOfMoreThanOneMebibyte_areStoredInParts() {
        int payloadOfOneMebibyte = Parts.LARGEST_IN_ONE_PIECE - Envelope.HEADER_BYTES;

        assertThat(Parts.isFor(entry(payloadOfOneMebibyte))).isFalse();
        assertThat(Parts.isFor(entry(payloadOfOneMebibyte + 1))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "524288, 1", "524289, 2", "1048576, 2", "1048577, 3", "8388608, 16"})
    void parts_areFullButTheLast(int bytes, int count) {
        Envelope entry = entry(bytes);

        List<byte[]> parts = Parts.of(entry);

        assertThat(parts).hasSize(count).hasSize(Parts.count(bytes));
        assertThat(parts).allMatch(part -> part.length > 0 && part.length <= Parts.PART_BYTES);
        assertThat(Envelope.of(1, Parts.join(parts)).payload()).isEqualTo(entry.payload());
    }

    @Test
    void largestValueThatMayBeConfigured_hasNoMorePartsThanAreRead() {
        assertThatThrownBy(() -> EntryLimits.defaults().withValueBytes(LARGEST_VALUE_BYTES + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Parts.count(LARGEST_VALUE_BYTES)).isLessThan(Parts.MAX_PARTS);
    }
}
