// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.client.routing.Layout;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The progress of moves between two partitions. A process does not know the direction of a move. */
final class SlotsOnTheirWay {
    private SlotsOnTheirWay() {}

    /** Returns, for each two partitions between which slots move, how many of these slots each of them owns now. */
    static List<Map<String, Integer>> of(Layout layout) {
        Map<List<String>, Map<String, Integer>> found = new LinkedHashMap<>();
        new TreeMap<>(layout.onTheirWay())
                .forEach(
                        (slot, other) -> layout.slotMap().ownerOf(slot).ifPresent(owner -> count(found, owner, other)));
        return new ArrayList<>(found.values());
    }

    private static void count(Map<List<String>, Map<String, Integer>> found, PartitionId owner, PartitionId other) {
        List<String> between = Stream.of(owner.name(), other.name()).sorted().toList();
        Map<String, Integer> owned = found.computeIfAbsent(between, both -> new TreeMap<>());
        owned.merge(owner.name(), 1, Integer::sum);
        owned.putIfAbsent(other.name(), 0);
    }
}
