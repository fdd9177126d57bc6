// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one client has asked for at one partition during some time. Immutable, and bounded in bytes: of more slots than it has
 * room for, it has those with the most calls, and the others together.
 *
 * @param millis how long that was
 * @param slots in the order of their numbers, each once
 * @param otherCalls of slots that are not among these
 * @param otherBytes of these
 */
public record TrafficReport(long millis, List<SlotTraffic> slots, long otherCalls, long otherBytes) {
    /** The slots of a report. */
    public static final int MOST_SLOTS = 8_192;

    /** How many slots of a report may have a root: those whose roots have the most calls. */
    public static final int MOST_ROOTS = 16;

    /** A report is never larger; mostly, it needs seven bytes for a slot. */
    public static final int MOST_BYTES = 256 * 1024;

    private static final byte FORMAT = 1;
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    public TrafficReport {
        slots = List.copyOf(slots);
        if (millis < 1 || otherCalls < 0 || otherBytes < 0) {
            throw new IllegalArgumentException("A report is about some time, and nothing in it is negative");
        }
        int last = -1;
        for (SlotTraffic slot : slots) {
            if (slot.slot() <= last) {
                throw new IllegalArgumentException("The slots of a report are in order, each once");
            }
            last = slot.slot();
        }
    }

    /** Returns the report of what was counted, within the bounds. */
    public static TrafficReport of(long millis, List<SlotTraffic> counted) {
        Comparator<SlotTraffic> busiest =
                Comparator.comparingLong(SlotTraffic::calls).reversed().thenComparingInt(SlotTraffic::slot);
        List<SlotTraffic> named = counted.size() <= MOST_SLOTS
                ? counted
                : counted.stream().sorted(busiest).limit(MOST_SLOTS).toList();
        Set<Integer> rooted = named.stream()
                .filter(slot -> !slot.root().isEmpty())
                .sorted(Comparator.comparingLong(SlotTraffic::rootCalls)
                        .reversed()
                        .thenComparingInt(SlotTraffic::slot))
                .limit(MOST_ROOTS)
                .map(SlotTraffic::slot)
                .collect(Collectors.toSet());
        List<SlotTraffic> slots = named.stream()
                .map(slot -> rooted.contains(slot.slot()) ? slot : slot.withoutRoot())
                .sorted(Comparator.comparingInt(SlotTraffic::slot))
                .toList();
        long calls = counted.stream().mapToLong(SlotTraffic::calls).sum();
        long bytes = counted.stream().mapToLong(SlotTraffic::bytes).sum();
        return new TrafficReport(
                Math.max(1, millis),
                slots,
                calls - slots.stream().mapToLong(SlotTraffic::calls).sum(),
                bytes - slots.stream().mapToLong(SlotTraffic::bytes).sum());
    }

    /** Returns the bytes of a report: whole numbers of seven bits in a byte, the lowest first. */
    public byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(FORMAT);
        write(out, millis);
        write(out, otherCalls);
        write(out, otherBytes);
        write(out, slots.size());
        int last = 0;
        for (SlotTraffic slot : slots) {
            byte[] root = slot.root().getBytes(StandardCharsets.UTF_8);
            write(out, slot.slot() - last);
            write(out, slot.calls() << 1 | (root.length == 0 ? 0 : 1));
            write(out, slot.bytes());
            if (root.length > 0) {
                write(out, slot.rootCalls());
                write(out, root.length);
                out.writeBytes(root);
            }
            last = slot.slot();
        }
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, long number) {
        long rest = number;
        while (rest >= MORE) {
            out.write((int) (rest & (MORE - 1)) | MORE);
            rest >>>= BITS;
        }
        out.write((int) rest);
    }

    /** Reads the bytes of a report; empty if they are none, or those of a newer version. */
    public static Optional<TrafficReport> read(byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            return in.get() == FORMAT ? Optional.of(read(in)) : Optional.empty();
        } catch (BufferUnderflowException | IllegalArgumentException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static TrafficReport read(ByteBuffer in) {
        long millis = number(in);
        long otherCalls = number(in);
        long otherBytes = number(in);
        long count = number(in);
        if (count > MOST_SLOTS) {
            throw new IllegalArgumentException("too many slots");
        }
        List<SlotTraffic> slots = new ArrayList<>();
        int last = 0;
        for (long i = 0; i < count; i++) {
            int slot = Math.toIntExact(last + number(in));
            long calls = number(in);
            long size = number(in);
            boolean isRooted = (calls & 1) == 1;
            long rootCalls = isRooted ? number(in) : 0;
            String root = isRooted ? text(in) : "";
            slots.add(new SlotTraffic(slot, calls >>> 1, size, root, rootCalls));
            last = slot;
        }
        if (in.hasRemaining()) {
            throw new IllegalArgumentException("there is more than a report");
        }
        return new TrafficReport(millis, slots, otherCalls, otherBytes);
    }

    private static long number(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += BITS) {
            int next = in.get();
            number |= (long) (next & (MORE - 1)) << shift;
            if ((next & MORE) == 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number is too long");
    }

    private static String text(ByteBuffer in) {
        long length = number(in);
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("a text is too long");
        }
        byte[] bytes = new byte[(int) length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
