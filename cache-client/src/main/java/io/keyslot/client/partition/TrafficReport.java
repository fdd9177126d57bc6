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
 * The sampled traffic of one client at one partition over some time. Immutable. Its size is bounded: it keeps the
 * slots, groups and keys with the most calls; {@code otherCalls} are those of omitted slots.
 */
public record TrafficReport(long millis, List<Slot> slots, long otherCalls, List<Named> named) {
    public static final int MOST_SLOTS = 8_192;

    /** The maximum number of groups, and of keys, of a report. */
    public static final int MOST_NAMED = 32;

    /** The maximum size of a report. A slot usually needs about 18 bytes. */
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
     * The approximate traffic of one slot: the commands that named a key of it (each key of a bulk call counts), and
     * the bytes of their keys and values, sent and received.
     */
    public record Slot(int slot, long calls, long bytes) {
        public Slot {
            if (slot < 0 || calls < 0 || bytes < 0) {
                throw new IllegalArgumentException("The traffic of a slot is never negative");
            }
        }
    }

    /**
     * A frequently used group or key. Its name is the stored key, with control characters replaced by question marks.
     */
    public record Named(String name, int slot, boolean isGroup, long calls) {
        public Named {
            name = name.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
            if (slot < 0 || calls < 0) {
                throw new IllegalArgumentException("The traffic of a key is never negative");
            }
        }
    }

    /** Returns the report of these counts, within the bounds. */
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

    /** Returns the encoded report: a header line, then one line for each slot, group and key. */
    public byte[] bytes() {
        StringBuilder text = new StringBuilder(millis + " " + otherCalls + "\n");
        slots.forEach(slot -> text.append(slot.slot() + " " + slot.calls() + " " + slot.bytes() + "\n"));
        named.forEach(each -> text.append(
                (each.isGroup() ? GROUP : KEY) + " " + each.slot() + " " + each.calls() + " " + each.name() + "\n"));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Decodes a report; empty if it is malformed. Other software may write the key, so nothing in it is trusted. */
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
