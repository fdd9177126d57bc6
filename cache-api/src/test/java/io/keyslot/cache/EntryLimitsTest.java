// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EntryLimitsTest {
    @Test
    void defaults_areTheDocumentedOnes() {
        assertThat(EntryLimits.defaults()).isEqualTo(new EntryLimits(1_024, 8 * 1_024 * 1_024, 10_000));
    }

    @Test
    void everyLimit_canBeChangedAlone() {
        EntryLimits limits =
                EntryLimits.defaults().withKeyBytes(16).withValueBytes(64).withBatchKeys(1);

        assertThat(limits).isEqualTo(new EntryLimits(16, 64, 1));
    }

    @Test
    void largestLimits_areAccepted() {
        assertThat(new EntryLimits(8_192, 512 * 1_024 * 1_024, 1_000_000).keyBytes())
                .isEqualTo(8_192);
    }

    @Test
    void impossibleLimits_areAllNamedAtOnce() {
        assertThatThrownBy(() -> new EntryLimits(8_193, 63, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Entry limits: keyBytes is 8193, must be from 16 to 8192;"
                        + " valueBytes is 63, must be from 64 to 536870912;"
                        + " batchKeys is 0, must be from 1 to 1000000");
    }
}
