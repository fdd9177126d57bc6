// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What one client has asked for at one partition during some time, by a sample. Immutable, and bounded in bytes: of more slots,
 * groups and keys than it has room for, it has those with the most calls.
 *
 * @param millis how long that was
 * @param slots each once
 * @param otherCalls of slots that are not among these
 * @param named the groups and keys with the most calls
 */
public record TrafficReport(long millis, List<Slot> slots, long otherCalls, List<Named> named) {
    /** The slots of a report. */
    public static final int MOST_SLOTS = 8_192;

    /** The groups of a report, and the keys. */
    public static final int MOST_NAMED = 32;

    /** A report is never larger; mostly, it needs some 18 bytes for a slot. */
    public static final int MOST_BYTES = 512 * 1024;

    private static final String GROUP = "g";
    private static final String KEY = "k";

    public TrafficReport {
        slots = List.copyOf(slots);
        named = List.copyOf(named);
        if (millis < 1 || otherCalls < 0) {
            throw new IllegalArgumentException("A report is about some time, and nothing in it is negative");
        }
    }

    /**
     * What was asked for in one slot.
     *
     * @param calls about how many commands named a key of the slot; those of a bulk call count one by one
     * @param bytes about how many bytes of keys and values were sent and received with them
     */
    public record Slot(int slot, long calls, long bytes) {
        public Slot {
            if (slot < 0 || calls < 0 || bytes < 0) {
                throw new IllegalArgumentException("The traffic of a slot is never negative");
            }
        }
    }

    /**
     * A group or a key that was asked for often.
     *
     * @param name its text, as the instances have it, with a question mark for each character that a terminal would obey
     * @param calls about how many commands named it
     */
    public record Named(String name, int slot, boolean isGroup, long calls) {
        public Named {
            name = name.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
            if (slot < 0 || calls < 0) {
                throw new IllegalArgumentException("The traffic of a key is never negative");
            }
        }
    }

    /** Returns the report of what was counted, within the bounds. */
    public static TrafficReport of(long millis, List<Slot> counted, List<Named> named) {
        List<Slot> slots = counted.stream()
                .sorted(Comparator.comparingLong(Slot::calls).reversed().thenComparingInt(Slot::slot))
                .limit(MOST_SLOTS)
                .toList();
        return new TrafficReport(
                Math.max(1, millis),
                slots,
                callsOf(counted) - callsOf(slots),
                Stream.concat(most(named, Named::isGroup), most(named, key -> !key.isGroup()))
                        .toList());
    }

    private static Stream<Named> most(List<Named> named, Predicate<Named> wanted) {
        return named.stream()
                .filter(wanted)
                .sorted(Comparator.comparingLong(Named::calls).reversed().thenComparing(Named::name))
                .limit(MOST_NAMED);
    }

    private static long callsOf(List<Slot> slots) {
        return slots.stream().mapToLong(Slot::calls).sum();
    }

    /** Returns the bytes of the report: a line for it, and one for each slot, group and key. */
    public byte[] bytes() {
        StringBuilder text = new StringBuilder(millis + " " + otherCalls + "\n");
        slots.forEach(slot -> text.append(slot.slot() + " " + slot.calls() + " " + slot.bytes() + "\n"));
        named.forEach(each -> text.append(
                (each.isGroup() ? GROUP : KEY) + " " + each.slot() + " " + each.calls() + " " + each.name() + "\n"));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reads the bytes of a report; empty if they are none. Others may write where it is stored, so nothing in it is trusted. */
    public static Optional<TrafficReport> read(byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            return Optional.empty();
        }
        try {
            String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", -1);
            String[] first = lines[0].split(" ", -1);
            List<Slot> slots = new ArrayList<>();
            List<Named> named = new ArrayList<>();
            for (String line : List.of(lines).subList(1, lines.length - 1)) {
                String[] words = line.split(" ", 4);
                if (words[0].equals(GROUP) || words[0].equals(KEY)) {
                    named.add(new Named(
                            words[3], Integer.parseInt(words[1]), words[0].equals(GROUP), Long.parseLong(words[2])));
                } else {
                    slots.add(new Slot(Integer.parseInt(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2])));
                }
            }
            return Optional.of(new TrafficReport(Long.parseLong(first[0]), slots, Long.parseLong(first[1]), named));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
