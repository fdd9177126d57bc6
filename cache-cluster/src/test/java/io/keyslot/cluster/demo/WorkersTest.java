// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class WorkersTest {
    @Test
    void run_givesEachThreadItsNumber() {
        Set<Integer> numbers = ConcurrentHashMap.newKeySet();

        Workers.run(4, numbers::add);

        assertThat(numbers).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void run_ofATaskThatFails_throwsItsFailure() {
        assertThatThrownBy(() -> Workers.run(2, number -> {
                    throw new IllegalArgumentException("no");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    }
}
