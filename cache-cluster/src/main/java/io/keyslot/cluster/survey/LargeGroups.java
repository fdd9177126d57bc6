// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Sums bytes by group, of any number of groups in bounded memory: when there are twice {@value #ROOM}, only the largest are kept. Of
 * one that comes back later, no more than {@link #forgotten()} was lost. Until then, all sums are exact. Not safe for use by several
 * threads.
 *
 * <p>So a group that is larger than {@link #forgotten()} is always there, and each sum is too low by its own error at most.
 */
final class LargeGroups {
    /** The groups that are kept when there are too many. */
    static final int ROOM = 20_000;

    private final int room;
    private final Map<String, Sum> sums = new HashMap<>();
    private long forgotten;

    LargeGroups() {
        this(ROOM);
    }

    LargeGroups(int room) {
        this.room = room;
    }

    private static final class Sum {
        private final int slot;
        private final long error;
        private long keys;
        private long bytes;

        Sum(int slot, long error) {
            this.slot = slot;
            this.error = error;
        }

        long most() {
            return bytes + error;
        }
    }

    void add(String root, int slot, long bytes) {
        Sum sum = sums.computeIfAbsent(root, first -> new Sum(slot, forgotten));
        sum.keys++;
        sum.bytes += bytes;
        if (sums.size() >= 2 * room) {
            forgetSmall();
        }
    }

    private void forgetSmall() {
        long[] sizes = sums.values().stream().mapToLong(Sum::most).sorted().toArray();
        long largestOfSmall = sizes[sizes.length - room - 1];
        forgotten = Math.max(forgotten, largestOfSmall);
        Iterator<Sum> all = sums.values().iterator();
        while (all.hasNext()) {
            if (all.next().most() <= largestOfSmall) {
                all.remove();
            }
        }
    }

    /** Returns the most bytes that any group may have that is not there. */
    long forgotten() {
        return forgotten;
    }

    /** Returns the groups that have more than this many bytes, or may have, the largest first. */
    List<SeenGroup> largerThan(long bytes) {
        List<SeenGroup> large = new ArrayList<>();
        sums.forEach((root, sum) -> {
            if (sum.most() > bytes) {
                large.add(new SeenGroup(root, sum.slot, sum.keys, sum.bytes, sum.error));
            }
        });
        large.sort(Comparator.comparingLong(SeenGroup::bytes).reversed().thenComparing(SeenGroup::root));
        return large;
    }
}
