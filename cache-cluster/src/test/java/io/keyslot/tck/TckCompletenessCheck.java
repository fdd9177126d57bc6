// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fails if a run of the conformance tests was incomplete. They report a test as passed that was excluded, or that found
 * no bean provider or no class to unwrap to; and without its configuration, the run on servers would be embedded, and the one with near caches without them.
 *
 * <p>Runs in an execution of its own, after those of the conformance tests.
 */
class TckCompletenessCheck {
    /** All tests of version 1.1.1. */
    private static final int TESTS = 493;

    /** Most tests make a cache of their own; those whose expiry policy looks at accesses are not near. */
    private static final int LEAST_NEAR_CACHES = 300;

    private static final String NEAR = "near";

    private static final String STORE_BY_REFERENCE = "org.jsr107.tck.StoreByReferenceTest#";
    private static final String TYPES_BY_REFERENCE =
            "org.jsr107.tck.TypesTest#simpleAPINoGenericsAndNoTypeEnforcementStoreByReference";
    private static final String DUMMY = "org.jsr107.tck.CachingTest#dummyTest";

    /** The runs of the build; that on a cluster is one of its own: {@code -Ptck-cluster}. */
    private static List<String> runs() {
        return List.of(System.getProperty("tck.runs", "embedded,instances,near").split(",", -1));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void everyTestOfTheKit_wasRun(String run) {
        TckReport report = reportOf(run);

        assertThat(report.tests()).as("tests reported of run %s", run).isEqualTo(TESTS);
        assertThat(report.skipped()).as("tests skipped of run %s", run).isZero();
    }

    private static TckReport reportOf(String run) {
        return TckReport.read(Path.of("target", "tck-reports", run));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void onlyStoreByReferenceAndTheDummy_areExcluded(String run) {
        TckReport report = reportOf(run);

        // The dummy is there in each run: so the log was captured, and the list of exclusions was read.
        assertThat(report.excluded())
                .as("tests excluded of run %s", run)
                .contains(DUMMY)
                .allMatch(test ->
                        test.equals(DUMMY) || test.equals(TYPES_BY_REFERENCE) || test.startsWith(STORE_BY_REFERENCE));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void noOtherEngine_wasUsed(String run) {
        assertThat(reportOf(run).engines()).containsExactly(run.equals(NEAR) ? "instances" : run);
    }

    @ParameterizedTest
    @MethodSource("runs")
    void cachesOfTheNearRunOnly_wereNear(String run) {
        int caches = reportOf(run).nearCaches();

        if (run.equals(NEAR)) {
            assertThat(caches).isGreaterThan(LEAST_NEAR_CACHES);
        } else {
            assertThat(caches).isZero();
        }
    }
}
