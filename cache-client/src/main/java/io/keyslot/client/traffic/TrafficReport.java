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
 * @param hot the keys that were read most, of caches that tell them
 */
public record TrafficReport(
        long millis, List<SlotTraffic> slots, long otherCalls, long otherBytes, List<HotTraffic> hot) {
    /** The slots of a report. */
    public static final int MOST_SLOTS = 8_192;

    /** How many slots of a report may have a root: those whose roots have the most calls. */
    public static final int MOST_ROOTS = 16;

    /** How many hot keys a report has: those that are read most. */
    public static final int MOST_HOT = 64;

    /** A report is never larger; mostly, it needs seven bytes for a slot. */
    public static final int MOST_BYTES = 256 * 1024;

    private static final byte FORMAT = 1;

    /** As before, and hot keys; used only where there are some. */
    private static final byte FORMAT_WITH_HOT = 2;

    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    public TrafficReport {
        slots = List.copyOf(slots);
        hot = List.copyOf(hot);
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

    /** Creates a report without hot keys. */
    public TrafficReport(long millis, List<SlotTraffic> slots, long otherCalls, long otherBytes) {
        this(millis, slots, otherCalls, otherBytes, List.of());
    }

    /** Returns the report of what was counted, within the bounds. */
    public static TrafficReport of(long millis, List<SlotTraffic> counted) {
        return of(millis, counted, List.of());
    }

    /** Returns the report of what was counted and read, within the bounds. */
    public static TrafficReport of(long millis, List<SlotTraffic> counted, List<HotTraffic> read) {
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
                bytes - slots.stream().mapToLong(SlotTraffic::bytes).sum(),
                read.stream()
                        .sorted(Comparator.comparingLong(HotTraffic::reads).reversed())
                        .limit(MOST_HOT)
                        .toList());
    }

    /** Returns the bytes of a report: whole numbers of seven bits in a byte, the lowest first. */
    public byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(hot.isEmpty() ? FORMAT : FORMAT_WITH_HOT);
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
                write(out, root);
            }
            last = slot.slot();
        }
        if (!hot.isEmpty()) {
            writeHot(out);
        }
        return out.toByteArray();
    }

    private void writeHot(ByteArrayOutputStream out) {
        write(out, hot.size());
        for (HotTraffic key : hot) {
            write(out, key.cache().getBytes(StandardCharsets.UTF_8));
            write(out, key.key().getBytes(StandardCharsets.UTF_8));
            write(out, key.slot());
            write(out, key.reads());
            write(out, key.error());
            write(out, key.ofAll());
        }
    }

    private static void write(ByteArrayOutputStream out, byte[] text) {
        write(out, text.length);
        out.writeBytes(text);
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
            byte format = in.get();
            return format == FORMAT || format == FORMAT_WITH_HOT
                    ? Optional.of(read(in, format == FORMAT_WITH_HOT))
                    : Optional.empty();
        } catch (BufferUnderflowException | IllegalArgumentException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static TrafficReport read(ByteBuffer in, boolean hasHot) {
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
        List<HotTraffic> hot = hasHot ? readHot(in) : List.of();
        if (in.hasRemaining()) {
            throw new IllegalArgumentException("there is more than a report");
        }
        return new TrafficReport(millis, slots, otherCalls, otherBytes, hot);
    }

    private static List<HotTraffic> readHot(ByteBuffer in) {
        long count = number(in);
        if (count < 0 || count > MOST_HOT) {
            throw new IllegalArgumentException("too many hot keys");
        }
        List<HotTraffic> hot = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            hot.add(new HotTraffic(
                    text(in), text(in), Math.toIntExact(number(in)), number(in), number(in), number(in)));
        }
        return hot;
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
