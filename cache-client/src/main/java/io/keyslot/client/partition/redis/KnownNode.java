// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node as another node of its cluster knows it: a line of {@code CLUSTER NODES}. Free of I/O.
 *
 * @param id of the node
 * @param slots in the order of the line; empty for a replica
 * @param leaving slots that it exports, with the ids of the target nodes; reported only by the node itself
 * @param arriving slots that it imports, with the ids of the source nodes; reported only by the node itself
 */
record KnownNode(String id, List<SlotRange> slots, Map<Integer, String> leaving, Map<Integer, String> arriving) {
    private static final int FIRST_SLOTS = 8;
    private static final Pattern NODE_ID = Pattern.compile("[0-9A-Za-z]{1,64}");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
    private static final Pattern ON_ITS_WAY = Pattern.compile("\\[(\\d{1,5})-([<>])-([0-9A-Za-z]{1,64})]");

    KnownNode {
        slots = List.copyOf(slots);
        leaving = Map.copyOf(leaving);
        arriving = Map.copyOf(arriving);
    }

    /** Parses a reply; empty if any line is unreadable. */
    static Optional<List<KnownNode>> readAll(String text) {
        List<KnownNode> nodes = new ArrayList<>();
        try {
            text.lines().map(KnownNode::read).forEach(nodes::add);
            return Optional.of(List.copyOf(nodes));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static KnownNode read(String line) {
        List<String> words = List.of(line.split(" ", -1));
        if (words.size() < FIRST_SLOTS || !NODE_ID.matcher(words.get(0)).matches()) {
            throw new IllegalArgumentException("A line of no node");
        }
        List<SlotRange> slots = new ArrayList<>();
        Map<Integer, String> leaving = new HashMap<>();
        Map<Integer, String> arriving = new HashMap<>();
        for (String word : words.subList(FIRST_SLOTS, words.size())) {
            Matcher onItsWay = ON_ITS_WAY.matcher(word);
            if (onItsWay.matches()) {
                (onItsWay.group(2).equals(">") ? leaving : arriving).put(slot(onItsWay.group(1)), onItsWay.group(3));
            } else if (!word.isEmpty()) {
                slots.add(range(word));
            }
        }
        return new KnownNode(words.get(0), slots, leaving, arriving);
    }

    private static SlotRange range(String word) {
        Matcher range = RANGE.matcher(word);
        if (!range.matches()) {
            throw new IllegalArgumentException("No slots: " + word);
        }
        int first = slot(range.group(1));
        return new SlotRange(first, range.group(2) == null ? first : slot(range.group(2)));
    }

    private static int slot(String digits) {
        int slot = Integer.parseInt(digits);
        if (slot >= HashSlot.COUNT) {
            throw new IllegalArgumentException("Slot %d: there are %d".formatted(slot, HashSlot.COUNT));
        }
        return slot;
    }
}
