// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cluster.demo.DemoOptions.Engine;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoOptionsTest {
    @Test
    void impossibleOptions_areRefusedAllAtOnce() {
        assertThatThrownBy(() -> new DemoOptions(Engine.EMBEDDED, List.of("redis://a"), 99, 0, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("sales is 99", "threads is 0", "engine is embedded");
    }

    @Test
    void clear_withoutGivenPartitions_isRefused() {
        assertThatThrownBy(() -> new DemoOptions(Engine.INSTANCES, List.of(), 100, 1, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("clear");
    }
}
