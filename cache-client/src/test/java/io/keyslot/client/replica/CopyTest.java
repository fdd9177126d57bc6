// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.stored.Envelope;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CopyTest {
    private static final byte[] VALUE = {1, 2, 3};

    @Test
    void entry_comesBackWithItsStampAndTheEpochOfItsHome() {
        Copy copy = new Copy(-7, Envelope.of(42, VALUE));

        Copy read = Copy.read(copy.stored()).orElseThrow();

        assertThat(read.homeEpoch()).isEqualTo(-7);
        assertThat(read.entry().stamp()).isEqualTo(42);
        assertThat(read.entry().payload()).isEqualTo(Envelope.of(42, VALUE).payload());
        assertThat(read.entry().freshUntilMillis()).isZero();
    }

    @Test
    void endOfFreshness_isKept() {
        Copy copy = new Copy(1, Envelope.timed(42, 99, VALUE));

        assertThat(Copy.read(copy.stored()).orElseThrow().entry().freshUntilMillis())
                .isEqualTo(99);
    }

    @Test
    void tooFewBytes_areNoCopy() {
        assertThat(Copy.read(Envelope.of(42, VALUE))).isEqualTo(Optional.empty());
    }
}
