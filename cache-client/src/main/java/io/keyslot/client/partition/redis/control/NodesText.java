// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.control;

import io.keyslot.client.partition.ServedSlots;
import io.keyslot.client.partition.redis.cluster.ClusterPrimary;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a node answers to {@code CLUSTER NODES}: the only answer that says which slots are on their way to or from the node. A line that
 * is not as it should be makes the text unreadable as a whole. Pure.
 */
public final class NodesText {
    private static final int ID = 0;
    private static final int FIRST_SLOTS = 8;
    private static final Pattern NODE_ID = Pattern.compile("[0-9A-Za-z]{1,64}");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
    private static final Pattern ON_ITS_WAY = Pattern.compile("\\[(\\d{1,5})-([<>])-([0-9A-Za-z]{1,64})]");

    private final Map<PartitionId, List<SlotRange>> owners = new LinkedHashMap<>();
    private final Map<Integer, PartitionId> leaving = new HashMap<>();
    private final Set<Integer> arriving = new HashSet<>();

    private NodesText() {}

    /** Returns what the node says; empty if nobody can read it. */
    public static Optional<ServedSlots> read(String text) {
        NodesText read = new NodesText();
        try {
            if (!text.lines().allMatch(read::add)) {
                return Optional.empty();
            }
            return Optional.of(new ServedSlots(new SlotMap(1, read.owners), read.leaving, read.arriving));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // no node, a slot that there is not, or one with two owners
        }
    }

    private boolean add(String line) {
        List<String> words = List.of(line.split(" ", -1));
        if (words.size() < FIRST_SLOTS || !NODE_ID.matcher(words.get(ID)).matches()) {
            return false;
        }
        List<SlotRange> owned = new ArrayList<>();
        for (String word : words.subList(FIRST_SLOTS, words.size())) {
            if (!word.isEmpty() && !addSlots(word, owned)) {
                return false;
            }
        }
        owners.put(ClusterPrimary.partition(words.get(ID)), owned);
        return true;
    }

    private boolean addSlots(String word, List<SlotRange> owned) {
        Matcher range = RANGE.matcher(word);
        if (range.matches()) {
            int first = slot(range.group(1));
            return owned.add(new SlotRange(first, range.group(2) == null ? first : slot(range.group(2))));
        }
        Matcher onItsWay = ON_ITS_WAY.matcher(word);
        if (!onItsWay.matches()) {
            return false;
        }
        int slot = slot(onItsWay.group(1));
        if (onItsWay.group(2).equals(">")) {
            leaving.put(slot, ClusterPrimary.partition(onItsWay.group(3)));
        } else {
            arriving.add(slot);
        }
        return true;
    }

    private static int slot(String digits) {
        int slot = Integer.parseInt(digits);
        if (slot >= HashSlot.COUNT) {
            throw new IllegalArgumentException("Slot %d: there are %d".formatted(slot, HashSlot.COUNT));
        }
        return slot;
    }
}
