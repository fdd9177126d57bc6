// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScanOptionsTest {
    @Test
    void defaults_areTheDocumentedOnes() {
        assertThat(ScanOptions.defaults())
                .isEqualTo(new ScanOptions(MissingPartitionScanPolicy.FAIL, Duration.ofSeconds(30)));
    }

    @Test
    void everyOption_canBeChangedAlone() {
        assertThat(ScanOptions.defaults().withMissingPartition(MissingPartitionScanPolicy.PARTIAL))
                .isEqualTo(new ScanOptions(MissingPartitionScanPolicy.PARTIAL, Duration.ofSeconds(30)));
        assertThat(ScanOptions.defaults().withAtMost(Duration.ofHours(1)))
                .isEqualTo(new ScanOptions(MissingPartitionScanPolicy.FAIL, Duration.ofHours(1)));
    }

    @Test
    void impossibleTime_isRejectedWithItsRule() {
        assertThatThrownBy(() -> ScanOptions.defaults().withAtMost(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Scan options: atMost is PT0S, must be from 1 ms to 1 h");
        assertThatThrownBy(() -> ScanOptions.defaults().withAtMost(Duration.ofHours(2)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
