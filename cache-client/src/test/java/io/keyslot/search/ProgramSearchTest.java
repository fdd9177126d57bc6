// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.search.ProgramSearch.Failure;
import org.junit.jupiter.api.Test;

/** Ten thousand random programs, each from a seed. */
class ProgramSearchTest {
    private static final int PROGRAMS = Integer.getInteger("keyslot.search.programs", 10_000);
    private static final long FIRST_SEED = Long.getLong("keyslot.search.seed", 0);

    /** With -Dkeyslot.search.all=true: also those in which it still finds what decision 43 names as open. */
    private static final boolean ALL = Boolean.getBoolean("keyslot.search.all");

    private static boolean isJudged(Scenario scenario) {
        return ALL || scenario.database() != Scenario.Backing.WRITE_BEHIND;
    }

    @Test
    void randomPrograms_answerAsOneRegisterForEachKeyWould() {
        Failure failure = ProgramSearch.search(FIRST_SEED, PROGRAMS, ProgramSearchTest::isJudged);
        if (failure != null) {
            throw new AssertionError(failure.shortened().toString());
        }
    }
}
