// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpectedAllocationsTest {
    private final ExpectedAllocations expected =
            new ExpectedAllocations(new TreeMap<>(Map.of("embedded.get", 1_000L, "key.slot", 0L)));

    @Nested
    class Problems {
        @ParameterizedTest
        @ValueSource(longs = {0, 900, 1_000, 1_100})
        void upToATenthMore_areNone(long bytes) {
            assertThat(expected.problems(Map.of("embedded.get", bytes, "key.slot", 8L)))
                    .isEmpty();
        }

        @Test
        void moreThanATenthMore_areOneLineEach() {
            assertThat(expected.problems(Map.of("embedded.get", 1_101L, "key.slot", 9L)))
                    .containsExactly(
                            "embedded.get allocates 1101 bytes, expected are 1000 (and at most 10 % more)",
                            "key.slot allocates 9 bytes, expected are 0 (and at most 10 % more)");
        }

        @Test
        void pathsThatOnlyOneSideKnows_areOneLineEach() {
            assertThat(expected.problems(Map.of("embedded.get", 1_000L, "embedded.put", 5L)))
                    .containsExactly(
                            "embedded.put allocates 5 bytes, but no figure is expected",
                            "key.slot was not measured, expected are 0 bytes");
        }
    }

    @Test
    void whatIsWritten_isRead(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("allocations.txt");

        expected.write(file);

        assertThat(ExpectedAllocations.read(file)).isEqualTo(expected);
    }
}
