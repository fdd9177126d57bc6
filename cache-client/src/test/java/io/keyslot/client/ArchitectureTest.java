// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    /** Far fewer than there are; only an import that went wrong finds so few. */
    private static final int FEWEST_CLASSES = 40;

    private static final JavaClasses CLASSES = ArchitectureRules.mainClasses();

    @Test
    void classes_areFound() {
        assertThat(CLASSES).hasSizeGreaterThan(FEWEST_CLASSES);
        assertThat(CLASSES.contain("io.keyslot.client.partition.Command")).isTrue();
    }

    @Test
    void packages_haveNoCycles() {
        ArchitectureRules.packagesHaveNoCycles().check(CLASSES);
    }

    @Test
    void packages_areNullMarked() {
        ArchitectureRules.packagesAreNullMarked().check(CLASSES);
    }

    @Test
    void onlyTheRedisEngine_knowsLettuce() {
        ArchitectureRules.onlyTheRedisEngineKnowsLettuce().check(CLASSES);
    }

    @Test
    void onlyMetrics_knowMicrometer() {
        ArchitectureRules.onlyMetricsKnowMicrometer().check(CLASSES);
    }

    @Test
    void onlyCodecs_readSerializedObjects() {
        ArchitectureRules.onlyCodecsReadSerializedObjects().check(CLASSES);
    }

    @Test
    void onlyTheSystemTicker_readsTheClock() {
        ArchitectureRules.onlyTheSystemTickerReadsTheClock().check(CLASSES);
    }

    @Test
    void nobody_sleeps() {
        ArchitectureRules.noneSleeps().check(CLASSES);
    }

    @Test
    void onlyTheWaiterAndTheEventLoop_block() {
        ArchitectureRules.onlyTheWaiterAndTheEventLoopBlock().check(CLASSES);
    }
}
