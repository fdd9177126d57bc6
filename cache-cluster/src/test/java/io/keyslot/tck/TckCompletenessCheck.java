// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fails if a run of the conformance tests was incomplete. They report a test as passed that was excluded, or that found
 * no bean provider or no class to unwrap to; and without its configuration, the run on servers would be embedded.
 *
 * <p>Runs in an execution of its own, after those of the conformance tests.
 */
class TckCompletenessCheck {
    /** All tests of version 1.1.1. */
    private static final int TESTS = 493;

    private static final String STORE_BY_REFERENCE = "org.jsr107.tck.StoreByReferenceTest#";
    private static final String TYPES_BY_REFERENCE =
            "org.jsr107.tck.TypesTest#simpleAPINoGenericsAndNoTypeEnforcementStoreByReference";
    private static final String DUMMY = "org.jsr107.tck.CachingTest#dummyTest";

    @ParameterizedTest
    @ValueSource(strings = {"embedded", "instances"})
    void everyTestOfTheKit_wasRun(String engine) {
        TckReport report = TckReport.read(Path.of("target", "tck-reports", engine));

        assertThat(report.tests()).as("tests reported on engine %s", engine).isEqualTo(TESTS);
        assertThat(report.skipped()).as("tests skipped on engine %s", engine).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"embedded", "instances"})
    void onlyStoreByReferenceAndTheDummy_areExcluded(String engine) {
        TckReport report = TckReport.read(Path.of("target", "tck-reports", engine));

        // The dummy is there in each run: so the log was captured, and the list of exclusions was read.
        assertThat(report.excluded())
                .as("tests excluded on engine %s", engine)
                .contains(DUMMY)
                .allMatch(test ->
                        test.equals(DUMMY) || test.equals(TYPES_BY_REFERENCE) || test.startsWith(STORE_BY_REFERENCE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"embedded", "instances"})
    void noOtherEngine_wasUsed(String engine) {
        TckReport report = TckReport.read(Path.of("target", "tck-reports", engine));

        assertThat(report.engines()).containsExactly(engine);
    }
}
