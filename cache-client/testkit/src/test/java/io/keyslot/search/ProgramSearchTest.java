// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.search.ProgramSearch.Failure;
import org.junit.jupiter.api.Test;

/** Random programs, each from a seed: as many as a build has time for. */
class ProgramSearchTest {
    private static final int PROGRAMS = Integer.getInteger("tests.search.programs", 400);
    private static final long FIRST_SEED = Long.getLong("tests.search.seed", 0);

    @Test
    void randomPrograms_answerAsOneRegisterForEachKeyWould() {
        Failure failure = ProgramSearch.search(FIRST_SEED, PROGRAMS, scenario -> true);
        if (failure != null) {
            throw new AssertionError(failure.shortened().toString());
        }
    }
}
