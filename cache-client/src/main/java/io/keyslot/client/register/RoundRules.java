// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules that guarantee that a register never decides twice. They are separate methods, so that the model can
 * disable one and show the consequence.
 */
interface RoundRules {
    RoundRules ALL = new RoundRules() {};

    /**
     * Returns whether these voters can decide a value: a majority of its voters and of those of the value before. The
     * first value of a generation needs all, because no earlier value would tell two of them apart. {@code isFormed}
     * means that the first value is known to be decided.
     */
    default boolean isQuorum(Set<Voters.Voter> accepting, RegisterValue value, boolean isFormed) {
        if (value.isFirst()) {
            return isFormed
                    ? value.voters().isMajority(accepting)
                    : value.voters().isAll(accepting);
        }
        return value.voters().isMajority(accepting) && value.previous().isMajority(accepting);
    }

    /**
     * Returns whether a value is decided, given the voters that have accepted it under one ballot. Only a decided value
     * has successors; any other is decided first.
     */
    default boolean isDecided(Set<Voters.Voter> acceptedTogether, RegisterValue value, boolean isFormed) {
        return isQuorum(acceptedTogether, value, isFormed);
    }

    /**
     * Returns whether a majority of the known voters is among these. The voters that a value names are not enough: a
     * client that can write at one instance can forge a value that names only this instance. {@code voters} are
     * believed while no decided value is known.
     */
    default boolean isBelieved(Set<Voters.Voter> accepting, @Nullable RegisterValue known, Set<PartitionId> voters) {
        Set<PartitionId> deciding = known == null ? voters : known.voters().instances();
        long voting = accepting.stream()
                .map(Voters.Voter::instance)
                .filter(deciding::contains)
                .distinct()
                .count();
        return deciding.isEmpty() || 2 * voting > deciding.size();
    }

    /**
     * Returns whether a change may fail based on reads alone. Not if it was ever sent: one instance may still accept
     * it, and another proposer may find and finish it.
     */
    default boolean mayDeny(boolean wasSent) {
        return !wasSent;
    }
}
