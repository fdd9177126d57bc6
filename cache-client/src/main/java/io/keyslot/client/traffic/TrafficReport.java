// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

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
 * @param caches what its caches have found; the same in what it tells each partition, and not in {@link #bytes()}
 */
public record TrafficReport(
        long millis,
        List<SlotTraffic> slots,
        long otherCalls,
        long otherBytes,
        List<HotTraffic> hot,
        CachesReport caches) {
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

    /** Creates a report without hot keys and caches. */
    public TrafficReport(long millis, List<SlotTraffic> slots, long otherCalls, long otherBytes) {
        this(millis, slots, otherCalls, otherBytes, List.of(), CachesReport.NONE);
    }

    /** Returns the same with what caches have found. */
    public TrafficReport with(CachesReport found) {
        return new TrafficReport(millis, slots, otherCalls, otherBytes, hot, found);
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
                        .toList(),
                CachesReport.NONE);
    }

    /** Returns the bytes of a report, without what caches have found: {@link CachesReport#bytes()}. */
    public byte[] bytes() {
        ReportWriter out = new ReportWriter(hot.isEmpty() ? FORMAT : FORMAT_WITH_HOT);
        out.write(millis);
        out.write(otherCalls);
        out.write(otherBytes);
        out.write(slots.size());
        int last = 0;
        for (SlotTraffic slot : slots) {
            boolean isRooted = !slot.root().isEmpty();
            out.write(slot.slot() - last);
            out.write(slot.calls() << 1 | (isRooted ? 1 : 0));
            out.write(slot.bytes());
            if (isRooted) {
                out.write(slot.rootCalls());
                out.write(slot.root());
            }
            last = slot.slot();
        }
        if (!hot.isEmpty()) {
            writeHot(out);
        }
        return out.bytes();
    }

    private void writeHot(ReportWriter out) {
        out.write(hot.size());
        for (HotTraffic key : hot) {
            out.write(key.cache());
            out.write(key.key());
            out.write(key.slot());
            out.write(key.reads());
            out.write(key.error());
            out.write(key.ofAll());
        }
    }

    /** Reads the bytes of a report; empty if they are none, or those of a newer version. */
    public static Optional<TrafficReport> read(byte[] bytes) {
        return ReportReader.read(bytes, MOST_BYTES, TrafficReport::read);
    }

    private static TrafficReport read(ReportReader in) {
        byte format = in.format();
        if (format != FORMAT && format != FORMAT_WITH_HOT) {
            throw new IllegalArgumentException("another format");
        }
        long millis = in.number();
        long otherCalls = in.number();
        long otherBytes = in.number();
        int count = in.count(MOST_SLOTS);
        List<SlotTraffic> slots = new ArrayList<>();
        int last = 0;
        for (int i = 0; i < count; i++) {
            int slot = Math.toIntExact(last + in.number());
            long calls = in.number();
            long size = in.number();
            boolean isRooted = (calls & 1) == 1;
            long rootCalls = isRooted ? in.number() : 0;
            String root = isRooted ? in.text() : "";
            slots.add(new SlotTraffic(slot, calls >>> 1, size, root, rootCalls));
            last = slot;
        }
        List<HotTraffic> hot = format == FORMAT_WITH_HOT ? readHot(in) : List.of();
        return new TrafficReport(millis, slots, otherCalls, otherBytes, hot, CachesReport.NONE);
    }

    private static List<HotTraffic> readHot(ReportReader in) {
        int count = in.count(MOST_HOT);
        List<HotTraffic> hot = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hot.add(new HotTraffic(
                    in.text(), in.text(), Math.toIntExact(in.number()), in.number(), in.number(), in.number()));
        }
        return hot;
    }
}
