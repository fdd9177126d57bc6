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
 * Who has a vote: instances, each in one life. A life ends with the memory of the instance. It never comes back, so whoever
 * votes remembers what it has promised. Immutable.
 *
 * @param lives the life of each instance
 */
public record Voters(SortedMap<PartitionId, String> lives) {
    /** Nobody: those before the first. */
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

    /** Returns the life in which an instance has a vote. */
    public Optional<String> incarnationAt(PartitionId instance) {
        return Optional.ofNullable(lives.get(instance));
    }

    public boolean isNone() {
        return lives.isEmpty();
    }

    /** Returns whether these are more than half of them. */
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

    /** Returns these with the vote of an instance in another life. */
    Voters with(PartitionId instance, String incarnation) {
        SortedMap<PartitionId, String> next = new TreeMap<>(lives);
        next.put(instance, incarnation);
        return new Voters(next);
    }

    /** Returns these without some instances, and with others. */
    Voters without(Set<PartitionId> leaving, Map<PartitionId, String> joining) {
        SortedMap<PartitionId, String> next = new TreeMap<>(lives);
        next.keySet().removeAll(leaving);
        next.putAll(joining);
        return new Voters(next);
    }
}
