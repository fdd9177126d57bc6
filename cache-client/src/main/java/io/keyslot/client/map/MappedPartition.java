// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.config.PartitionUri;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A partition in a map. Names are unique in a map. It holds no secrets; logins are in the configuration of clients. The
 * address of an embedded partition is null. The weight is its relative share of the hash slots, from 0 (only slots of
 * placements) to {@value #LARGEST_WEIGHT}; labels are attributes such as its region. Clients that read from replicas use
 * these, besides those that are configured.
 */
public record MappedPartition(
        PartitionId name,
        @Nullable PartitionUri address,
        int weight,
        SortedMap<String, String> labels,
        Membership state,
        List<Replica> replicas) {
    /** Large enough that a weight can be a number of slots. */
    public static final int LARGEST_WEIGHT = HashSlot.COUNT;

    /** The label by which clients find near partitions. */
    public static final String ZONE = "zone";

    public static final int MOST_LABELS = 16;

    public static final int MOST_REPLICAS = 16;

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
        replicas = List.copyOf(replicas);
        if (replicas.size() > MOST_REPLICAS
                || replicas.stream().map(Replica::address).distinct().count() < replicas.size()) {
            throw new IllegalArgumentException(
                    "%s has more than %d replicas, or one twice".formatted(name, MOST_REPLICAS));
        }
    }

    /** A replica of the partition's instance, and its network zone; empty if unknown. */
    public record Replica(PartitionUri address, String zone) {
        public Replica {
            if (address.username() != null || address.password() != null || address.sentinels() != null) {
                throw new IllegalArgumentException(
                        "The address of a replica names a user, a password or sentinels: it must be redis://host:port");
            }
            if (!zone.isEmpty() && !WORD.matcher(zone).matches()) {
                throw new IllegalArgumentException(
                        "The zone of a replica must be 1 to 64 letters, digits, '.', '-' or '_'");
            }
        }
    }

    public static MappedPartition active(PartitionId name, @Nullable PartitionUri address, int weight) {
        return new MappedPartition(name, address, weight, Collections.emptySortedMap(), Membership.ACTIVE, List.of());
    }

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
        return new MappedPartition(name, address, changed, labels, state, replicas);
    }

    public MappedPartition withLabels(Map<String, String> changed) {
        return new MappedPartition(name, address, weight, new TreeMap<>(changed), state, replicas);
    }

    public MappedPartition withState(Membership changed) {
        return new MappedPartition(name, address, weight, labels, changed, replicas);
    }

    public MappedPartition withReplicas(List<Replica> changed) {
        return new MappedPartition(name, address, weight, labels, state, changed);
    }

    public boolean isActive() {
        return state == Membership.ACTIVE;
    }

    /** Returns whether clients use it. */
    public boolean isAsked() {
        return state == Membership.ACTIVE || state == Membership.DRAINING;
    }

    public boolean mayOwn() {
        return state != Membership.REMOVED;
    }

    public boolean isLost() {
        return state == Membership.LOST;
    }

    public boolean has(Map<String, String> demanded) {
        return labels.entrySet().containsAll(demanded.entrySet());
    }

    /** The role of a partition in a map. */
    public enum Membership {
        /** It owns slots and may get more. */
        ACTIVE,

        /** It owns slots and gets no more; they are to be moved away. After the last one it is removed. */
        DRAINING,

        /**
         * It is gone for good with its data. Clients do not use it. Its slots are to be assigned to others, where they
         * start empty; after the last one it is removed.
         */
        LOST,

        /** It owns no slots, and clients do not use it. */
        REMOVED
    }
}
