// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.search.Mutation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Without any one of the rules of a near cache, {@link NearSimulation} finds something that is too old. */
class NearMutantsTest {
    private static final int MOST_SCHEDULES = 300;

    /** A rule that is not kept. */
    enum Mutant {
        KEPT_WITHOUT_A_RESERVATION(
                "near.NearEntries",
                "map.replace(reservation.place, reservation, new NearEntry(",
                "map.put(reservation.place, new NearEntry("),
        RESERVATION_IS_NOT_TAKEN_AWAY(
                "near.NearEntries",
                "Object gone = key == null ? null : map.remove(key);",
                "Object gone = key != null && map.get(key) instanceof NearEntry ? map.remove(key) : null;"),
        RESERVATION_IS_MADE_WHEN_THE_REPLY_IS_THERE(
                "near.NearChannel",
                "copies.fill(reserved, sentAt, done.value());",
                "copies.reserve(reserved); copies.fill(reserved, sentAt, done.value());"),
        CHANGE_OF_OTHERS_IS_NOT_HEARD("near.TrackedPartition", "links.kill(keys, NearEnd.TOLD);", ""),
        OWN_WRITE_DOES_NOT_TAKE_AWAY("near.NearCaches", "kill(keys, NearEnd.OWN_CHANGE);", ""),
        COPIES_OF_A_LOST_LINK_ARE_SERVED(
                "near.TrackedConnection",
                "return state == State.ALIVE && now - confirmedAt <= staleness;",
                "return now - confirmedAt <= staleness;"),
        SILENCE_IS_NOT_NOTICED(
                "near.TrackedConnection",
                "return state == State.ALIVE && now - confirmedAt <= staleness;",
                "return state == State.ALIVE;"),
        HEARD_WHEN_A_PING_WAS_ANSWERED("near.TrackedPartition", "tracked.confirm(sentAt);", "tracked.confirm(now());"),
        HEARD_WHEN_A_READ_WAS_ANSWERED(
                "near.NearChannel", "reserved.link.confirm(sentAt);", "reserved.link.confirm(ticker.nanos());"),
        EXPIRY_IS_NOT_BOUNDED("near.NearEntry", "return now - readAt < lifeNanos && slots", "return slots"),
        ANYTHING_MAY_HAVE_CHANGED_IS_NOT_HEARD(
                "near.TrackedPartition",
                "if (before != null && isPresent()) {",
                "if (before != null && links == null) {"),
        COPIES_OF_AN_OLDER_LINK_ARE_SERVED_WHERE_ALL_IS_MISSING(
                "near.TrackedConnection", "state = State.VOID;", "state = State.LOST;"),
        COPIES_ARE_SERVED_FOR_EVER_WHERE_ALL_IS_MISSING(
                "near.TrackedConnection",
                "return state == State.LOST && now - confirmedAt <= bound;",
                "return state == State.LOST;"),
        CHANGE_OF_A_GROUP_DOES_NOT_TAKE_AWAY(
                "routing.CallSize",
                "return command instanceof GroupCommand ? command.consulted() : command.keys();",
                "return command.keys();"),
        CHANGES_TOGETHER_DO_NOT_TAKE_AWAY(
                "partition.BulkCommand", "items().forEach(item -> keys.add(keyOf(item)));", "");

        private final String type;
        private final String snippet;
        private final String replacement;

        Mutant(String type, String snippet, String replacement) {
            this.type = type;
            this.snippet = snippet;
            this.replacement = replacement;
        }
    }

    /** The product has changed since a mutant was written: it must still change the same rule. */
    @ParameterizedTest
    @EnumSource
    void mutant_compiles(Mutant mutant) {
        assertThat(mutation(mutant).compiled()).isNotEmpty();
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource
    void mutant_isFound(Mutant mutant) {
        assertThat(mutation(mutant).searched(NearSearch.class, "", MOST_SCHEDULES))
                .startsWith("Seed ");
    }

    private static Mutation mutation(Mutant mutant) {
        return new Mutation("io.keyslot.client." + mutant.type, mutant.snippet, mutant.replacement);
    }
}
