// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fails if a run of the conformance tests was incomplete. They report a test as passed that was excluded, or that found
 * no bean provider or no class to unwrap to; and without its configuration, the run on servers would be embedded, and the one with near caches without them.
 *
 * <p>Runs in an execution of its own, after those of the conformance tests.
 */
class TckCompletenessCheck {
    /** All tests of version 1.1.1. */
    static final int TESTS = 493;

    /** Most tests make a cache of their own; those whose expiry policy looks at accesses are not near. */
    private static final int LEAST_NEAR_CACHES = 300;

    private static final String STORE_BY_REFERENCE = "org.jsr107.tck.StoreByReferenceTest#";
    private static final String TYPES_BY_REFERENCE =
            "org.jsr107.tck.TypesTest#simpleAPINoGenericsAndNoTypeEnforcementStoreByReference";
    private static final String DUMMY = "org.jsr107.tck.CachingTest#dummyTest";

    @ParameterizedTest
    @ValueSource(strings = {"embedded", "instances"})
    void everyTestOfTheKit_wasRun(String run) {
        TckReport report = reportOf(run);

        assertThat(report.tests()).as("tests reported of run %s", run).isEqualTo(TESTS);
        assertThat(report.skipped()).as("tests skipped of run %s", run).isZero();
    }

    private static TckReport reportOf(String run) {
        return TckReport.read(Path.of("target", "tck-reports", run));
    }

    @ParameterizedTest
    @ValueSource(strings = {"embedded", "instances"})
    void onlyStoreByReferenceAndTheDummy_areExcluded(String run) {
        TckReport report = reportOf(run);

        assertNothingElseIsExcluded(run, report.excluded());
    }

    static void assertNothingElseIsExcluded(String run, Set<String> excluded) {
        // The dummy is there in each run: so the log was captured, and the list of exclusions was read.
        assertThat(excluded)
                .as("tests excluded of run %s", run)
                .contains(DUMMY)
                .allMatch(test ->
                        test.equals(DUMMY) || test.equals(TYPES_BY_REFERENCE) || test.startsWith(STORE_BY_REFERENCE));
    }

    @ParameterizedTest
    @CsvSource({"embedded, embedded", "instances, instances"})
    void noOtherEngine_wasUsed(String run, String engine) {
        assertThat(reportOf(run).engines()).containsExactly(engine);
    }

    @Test
    @Tag("thorough")
    void nearRun_isComplete() {
        everyTestOfTheKit_wasRun("near");
        onlyStoreByReferenceAndTheDummy_areExcluded("near");
        noOtherEngine_wasUsed("near", "instances");
    }

    @Test
    @Tag("thorough")
    void cachesOfTheNearRunOnly_wereNear() {
        assertThat(reportOf("near").nearCaches()).isGreaterThan(LEAST_NEAR_CACHES);
        assertThat(reportOf("instances").nearCaches()).isZero();
    }
}
