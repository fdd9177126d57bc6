// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import io.keyslot.slot.HashSlot;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The view that one node of a cluster has of all nodes, from its answer to {@code CLUSTER NODES}. Immutable. */
record KnownNodes(List<Member> members) {
    KnownNodes {
        members = members.stream().sorted(Comparator.comparing(Member::id)).toList();
    }

    static KnownNodes of(String text) {
        return new KnownNodes(text.lines().map(Member::of).toList());
    }

    /** A node as another one sees it; its primary's id may be {@code -}. Moving slots are known only to itself. */
    record Member(String id, Set<String> flags, String primary, List<Range> slots, boolean isMoving) {
        private static final int ID = 0;
        private static final int FLAGS = 2;
        private static final int PRIMARY = 3;
        private static final int FIRST_SLOTS = 8;

        Member {
            flags = Set.copyOf(flags);
            slots = List.copyOf(slots);
        }

        static Member of(String line) {
            List<String> words = List.of(line.split(" "));
            List<String> places = words.subList(FIRST_SLOTS, words.size());
            return new Member(
                    words.get(ID),
                    Set.copyOf(Arrays.asList(words.get(FLAGS).split(","))),
                    words.get(PRIMARY),
                    places.stream()
                            .filter(place -> !place.startsWith("["))
                            .map(Range::of)
                            .toList(),
                    places.stream().anyMatch(place -> place.startsWith("[")));
        }

        boolean isPrimary() {
            return flags.contains("master");
        }

        boolean hasFailed() {
            return flags.contains("fail");
        }

        /** Returns whether its failure is suspected. */
        boolean isUnsettled() {
            return flags.contains("handshake") || flags.contains("fail?");
        }

        int slotCount() {
            return slots.stream().mapToInt(Range::count).sum();
        }

        IntStream eachSlot() {
            return slots.stream().flatMapToInt(range -> IntStream.rangeClosed(range.first(), range.last()));
        }

        /** Returns the part on which all nodes must agree. */
        private Member asAllSeeIt() {
            return new Member(id, Set.of(isPrimary() ? "master" : "slave"), primary, slots, false);
        }
    }

    record Range(int first, int last) {
        static Range of(String text) {
            int dash = text.indexOf('-');
            return dash < 0
                    ? new Range(Integer.parseInt(text), Integer.parseInt(text))
                    : new Range(Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
        }

        int count() {
            return last - first + 1;
        }
    }

    Member self() {
        return members.stream()
                .filter(member -> member.flags().contains("myself"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No node of the cluster says that it is itself"));
    }

    /** Returns whether every slot has a primary that has not failed, no slot moves, and no node is suspected. */
    boolean isWhole() {
        int owned = members.stream()
                .filter(member -> member.isPrimary() && !member.hasFailed())
                .mapToInt(Member::slotCount)
                .sum();
        return owned == HashSlot.COUNT
                && members.stream().noneMatch(member -> member.isMoving() || member.isUnsettled());
    }

    Set<String> idsThatHaveNotFailed() {
        return members.stream()
                .filter(member -> !member.hasFailed())
                .map(Member::id)
                .collect(Collectors.toSet());
    }

    /** Returns the part that is equal in the views of all nodes once they agree. */
    List<Member> agreed() {
        return members.stream()
                .filter(member -> !member.hasFailed())
                .map(Member::asAllSeeIt)
                .toList();
    }
}
