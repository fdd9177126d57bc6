// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.config.PartitionUri;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A partition, as a map knows it. It holds no secret: how to log in is the matter of each client's configuration.
 *
 * @param name unique in its map
 * @param address where the instance is, without user and password; null for an embedded partition
 * @param weight its share of the hash slots in relation to the others, from 0 (none: it has the slots of placements only)
 *     to {@value #LARGEST_WEIGHT}
 * @param labels free words about it, such as its region, by what they tell of
 * @param state what it is there for
 */
public record MappedPartition(
        PartitionId name,
        @Nullable PartitionUri address,
        int weight,
        SortedMap<String, String> labels,
        Membership state) {
    /** The largest weight: so many that a weight can be a number of slots. */
    public static final int LARGEST_WEIGHT = HashSlot.COUNT;

    /** The label by which clients know what is near. */
    public static final String ZONE = "zone";

    /** The most labels of a partition. */
    public static final int MOST_LABELS = 16;

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public MappedPartition {
        if (address != null && (address.username() != null || address.password() != null)) {
            throw new IllegalArgumentException(
                    "The address of %s names a user or a password: a map is read by everybody,".formatted(name)
                            + " so these belong into the configuration of the clients");
        }
        if (weight < 0 || weight > LARGEST_WEIGHT) {
            throw new IllegalArgumentException(
                    "Weight of %s is %d: must be from 0 to %d".formatted(name, weight, LARGEST_WEIGHT));
        }
        labels = checkedLabels(labels);
    }

    /** Returns a partition that is there to be used. */
    public static MappedPartition active(PartitionId name, @Nullable PartitionUri address, int weight) {
        return new MappedPartition(name, address, weight, Collections.emptySortedMap(), Membership.ACTIVE);
    }

    /**
     * Returns a copy of labels that cannot be changed.
     *
     * @throws IllegalArgumentException if they are too many, or one is not a word
     */
    static SortedMap<String, String> checkedLabels(Map<String, String> labels) {
        if (labels.size() > MOST_LABELS) {
            throw new IllegalArgumentException("There are %d labels: at most %d".formatted(labels.size(), MOST_LABELS));
        }
        labels.forEach((name, value) -> {
            if (!WORD.matcher(name).matches() || !WORD.matcher(value).matches()) {
                throw new IllegalArgumentException(
                        "A label is not two words of 1 to 64 letters, digits, '.', '-' or '_'");
            }
        });
        return Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public MappedPartition withWeight(int changed) {
        return new MappedPartition(name, address, changed, labels, state);
    }

    public MappedPartition withLabels(Map<String, String> changed) {
        return new MappedPartition(name, address, weight, new TreeMap<>(changed), state);
    }

    public MappedPartition withState(Membership changed) {
        return new MappedPartition(name, address, weight, labels, changed);
    }

    /** Returns whether it may become the owner of a slot. */
    public boolean isActive() {
        return state == Membership.ACTIVE;
    }

    /** Returns whether clients ask it. */
    public boolean isAsked() {
        return state == Membership.ACTIVE || state == Membership.DRAINING;
    }

    /** Returns whether it may own a slot. */
    public boolean mayOwn() {
        return state != Membership.REMOVED;
    }

    /** Returns whether it is gone for good, with all that it had. */
    public boolean isLost() {
        return state == Membership.LOST;
    }

    /** Returns whether it has all these labels. */
    public boolean has(Map<String, String> demanded) {
        return labels.entrySet().containsAll(demanded.entrySet());
    }
}
