// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules on which it stands that a register never decides twice. Each is here by itself, so that the model can take it away
 * and show what happens then.
 */
interface RoundRules {
    /** All of them. */
    RoundRules ALL = new RoundRules() {};

    /**
     * Returns whether these can decide on a value: a majority of its electors, and of those of the value before. The
     * first value of a generation is taken by all, as there is nothing before it that would tell two of them apart.
     *
     * @param isFormed whether it is known that the first value was decided
     */
    default boolean isQuorum(Set<Voter> accepting, RegisterValue value, boolean isFormed) {
        if (value.isFirst()) {
            return isFormed
                    ? value.voters().isMajority(accepting)
                    : value.voters().isAll(accepting);
        }
        return value.voters().isMajority(accepting) && value.previous().isMajority(accepting);
    }

    /**
     * Returns whether a value was decided, by those who have accepted it under one ballot. Nothing is derived from another
     * one: it is finished first.
     */
    default boolean isDecided(Set<Voter> acceptedTogether, RegisterValue value, boolean isFormed) {
        return isQuorum(acceptedTogether, value, isFormed);
    }

    /**
     * Returns whether a majority of those who are known to decide is among these. Whom a value names is not enough: a client that can
     * write at one instance can let it show a value that names this instance alone.
     *
     * @param known the newest value that was decided, as far as is known
     * @param voters who is believed to decide while none is known
     */
    default boolean isBelieved(Set<Voter> accepting, @Nullable RegisterValue known, Set<PartitionId> voters) {
        Set<PartitionId> deciding = known == null ? voters : known.voters().instances();
        long voting = accepting.stream()
                .map(Voter::instance)
                .filter(deciding::contains)
                .distinct()
                .count();
        return deciding.isEmpty() || 2 * voting > deciding.size();
    }

    /**
     * Returns whether a change may be answered with no by what was read alone. Not if it was ever sent: one instance may still
     * take it, and somebody may find it there and finish it.
     */
    default boolean mayDeny(boolean wasSent) {
        return !wasSent;
    }
}
