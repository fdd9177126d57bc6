// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The search finds each of these defects, all of which the product once had or could have. */
class MutantsTest {
    /** How many programs a defect may stay hidden in. */
    private static final int MOST_PROGRAMS = 4_000;

    /** A defect, and among which scenarios it is looked for. */
    enum Mutant {
        CHANGE_THAT_LOST_AGAINST_ANOTHER_COUNTS_AS_DONE(
                Focus.PLAIN,
                "io.keyslot.client.jcache.Changes",
                "if (apply(operation, key, encoded, expiry, current, step, budget)) {",
                "if (apply(operation, key, encoded, expiry, current, step, budget) || budget != null) {"),
        LOSER_OF_A_RACE_HAS_ASKED_THE_WRITER(
                Focus.WRITE_THROUGH,
                "io.keyslot.client.jcache.WriterFirst",
                "if (!place.isTaken()) {",
                "if (!place.isTaken()) { ask(planned(key, value, place, expiry), budget);"),
        WRITER_GETS_CHANGES_IN_ANOTHER_ORDER_THAN_THE_CACHE(
                Focus.WRITE_BEHIND,
                "io.keyslot.client.writebehind.Turns",
                "if (turn.behind == 0) {",
                "if (turn.behind >= 0) {"),
        LOAD_MISSES_A_CHANGE_THAT_IS_ABOUT_TO_BE_QUEUED(
                Focus.REPLICATED_WRITE_BEHIND,
                "io.keyslot.client.jcache.LoaderDoor",
                "parts.writer().awaitChanges(List.of(key));",
                ""),
        KEY_WHOSE_DELETION_IS_OWED_IS_ASKED_FOR(
                Focus.REFUSALS, "io.keyslot.client.routing.OwedKeys", "return journal.isEmpty();", "return true;"),
        DROPPED_CONNECTION_MAKES_THE_PARTITION_MISSING_AT_ONCE(
                Focus.RESETS,
                "io.keyslot.client.routing.Healthy",
                "return soFar > MOST_BRIEF ? otherwise : Probing.awaited(otherwise);",
                "return otherwise;"),
        KEY_THAT_IS_BEING_DELETED_IS_REFUSED_FOR_GOOD(
                Focus.RESETS,
                "io.keyslot.client.routing.OwedKeys",
                "isSoonOver && isWorthAnotherAttempt ? Refusal.NOT_NOW : Refusal.UNAVAILABLE",
                "isSoonOver && isWorthAnotherAttempt ? Refusal.UNAVAILABLE : Refusal.UNAVAILABLE"),
        INTERRUPTED_READ_IS_A_MISS(
                Focus.INTERRUPTS,
                "io.keyslot.client.entry.Answer",
                "if (failure instanceof CallInterruptedException) {",
                "if (failure instanceof CallInterruptedException && failure.getMessage() == null) {");

        private final Focus focus;
        private final String type;
        private final String snippet;
        private final String replacement;

        Mutant(Focus focus, String type, String snippet, String replacement) {
            this.focus = focus;
            this.type = type;
            this.snippet = snippet;
            this.replacement = replacement;
        }
    }

    @ParameterizedTest
    @EnumSource
    void mutant_isFound(Mutant mutant) {
        Mutation mutation = new Mutation(mutant.type, mutant.snippet, mutant.replacement);

        assertThat(mutation.searched(mutant.focus, MOST_PROGRAMS)).startsWith("Seed ");
    }
}
