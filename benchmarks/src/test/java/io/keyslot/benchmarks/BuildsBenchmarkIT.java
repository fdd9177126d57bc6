// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildsBenchmarkIT {
    private static final int ENTRIES = 1_000;

    @Test
    void buildAgainstItself_findsOnBothSidesWhatItHasStored() throws ReflectiveOperationException {
        BuildsBenchmark benchmark = new BuildsBenchmark("", ENTRIES);
        try {
            benchmark.prepare();

            assertThatCode(benchmark::get).doesNotThrowAnyException();
            assertThatCode(benchmark::put).doesNotThrowAnyException();
        } finally {
            benchmark.end();
        }
    }

    @Test
    void checkoutThatWasNotBuilt_isRefused(@TempDir Path checkout) {
        BuildsBenchmark benchmark = new BuildsBenchmark(checkout.toString(), ENTRIES);
        try {
            assertThatThrownBy(benchmark::prepare)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("other: there is no " + checkout)
                    .hasMessageEndingWith("build that checkout by ./mvnw package -DskipTests");
        } finally {
            benchmark.end();
        }
    }
}
