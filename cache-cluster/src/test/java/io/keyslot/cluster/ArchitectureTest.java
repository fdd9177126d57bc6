// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.keyslot.client.ArchitectureRules;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A command line may wait: it has a thread of its own. Everything else holds as in the client. */
class ArchitectureTest {
    /** Fewer than there are; only an import that went wrong finds so few. */
    private static final int FEWEST_CLASSES = 10;

    /** Without the modules below, which are not always in jars. */
    private static final JavaClasses CLASSES =
            ArchitectureRules.mainClasses().that(JavaClass.Predicates.resideInAPackage("io.keyslot.cluster.."));

    @Test
    void classes_areFound() {
        assertThat(CLASSES).hasSizeGreaterThan(FEWEST_CLASSES);
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
    void nobody_knowsLettuce() {
        ArchitectureRules.onlyTheRedisEngineKnowsLettuce().check(CLASSES);
    }

    @Test
    void nobody_knowsMicrometer() {
        ArchitectureRules.onlyMetricsKnowMicrometer().check(CLASSES);
    }

    @Test
    void nobody_readsSerializedObjects() {
        ArchitectureRules.onlyCodecsReadSerializedObjects().check(CLASSES);
    }

    @Test
    void nobody_readsTheClock() {
        ArchitectureRules.onlyTheSystemTickerReadsTheClock().check(CLASSES);
    }

    /** Except those of the Redis engine, which need the servers of this module. */
    @Test
    void tests_standInNoPackageOfTheClient() throws IOException {
        assertThat(ArchitectureRules.testsInPackagesOfTheClient(ArchitectureTest.class))
                .isNotEmpty()
                .allMatch(name -> name.startsWith("io/keyslot/client/partition/redis/"));
    }
}
