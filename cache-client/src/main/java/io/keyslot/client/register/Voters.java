// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The instances that vote, each in one incarnation. An incarnation ends with the instance's state and never returns, so
 * a voter always remembers its promises. Immutable.
 */
public record Voters(SortedMap<PartitionId, String> lives) {
    /** The voters before the first value. */
    public static final Voters NONE = new Voters(Map.of());

    public Voters {
        lives = Collections.unmodifiableSortedMap(new TreeMap<>(lives));
    }

    public Voters(Map<PartitionId, String> lives) {
        this(new TreeMap<>(lives));
    }

    public Set<PartitionId> instances() {
        return lives.keySet();
    }

    public Optional<String> incarnationAt(PartitionId instance) {
        return Optional.ofNullable(lives.get(instance));
    }

    public boolean isNone() {
        return lives.isEmpty();
    }

    boolean isMajority(Collection<Voter> voted) {
        return 2 * count(voted) > lives.size();
    }

    boolean isAll(Collection<Voter> voted) {
        return count(voted) == lives.size();
    }

    private long count(Collection<Voter> voted) {
        return lives.entrySet().stream()
                .filter(voter -> voted.contains(new Voter(voter.getKey(), voter.getValue())))
                .count();
    }

    Voters with(PartitionId instance, String incarnation) {
        SortedMap<PartitionId, String> next = new TreeMap<>(lives);
        next.put(instance, incarnation);
        return new Voters(next);
    }

    Voters without(Set<PartitionId> leaving, Map<PartitionId, String> joining) {
        SortedMap<PartitionId, String> next = new TreeMap<>(lives);
        next.keySet().removeAll(leaving);
        next.putAll(joining);
        return new Voters(next);
    }

    /** An instance in one incarnation, which votes. */
    record Voter(PartitionId instance, String incarnation) {}
}
