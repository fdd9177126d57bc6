// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cluster.demo.DemoOptions.Engine;
import org.junit.jupiter.api.Test;

class DemoOptionsTest {
    @Test
    void impossibleOptions_areRefusedAllAtOnce() {
        assertThatThrownBy(() -> new DemoOptions(Engine.EMBEDDED, 99, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("sales is 99", "threads is 0");
    }
}
