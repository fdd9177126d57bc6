// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.slot.PartitionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScanResultTest {
    private static final PartitionId P1 = new PartitionId("p1");

    @Test
    void resultOfAllPartitions_isNotPartial() {
        assertThat(new ScanResult<String, String>(List.of(), Map.of(), true).isPartial())
                .isFalse();
        assertThat(new ScanResult<String, String>(List.of(), Map.of(P1, "refused"), false).isPartial())
                .isTrue();
    }

    @Test
    void result_doesNotChange() {
        Map<PartitionId, String> missing = new HashMap<>();
        ScanResult<String, String> result = new ScanResult<>(List.of(), missing, false);
        missing.put(P1, "refused");

        assertThat(result.missing()).isEmpty();
        assertThatThrownBy(() -> result.missing().put(P1, "refused")).isInstanceOf(UnsupportedOperationException.class);
    }
}
