// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.stored.Element;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slots of the keys of one root type. Immutable. An entry names an id by its text in the key, as {@code redis-cli}
 * shows it: the whole id, or the part before the first comma of a composite one. The list takes precedence over the
 * ranges.
 */
public final class Placement {
    /** The slot of a refused key. */
    public static final int REFUSED = -1;

    /** Comes before every bound: the key of a range without a lower bound. */
    private static final Element LOWEST = Element.of("");

    private final String rootType;
    private final @Nullable RangeType rangeType;
    private final SortedMap<String, PlacementTarget> list;
    private final List<PlacedRange> ranges;
    private final Otherwise otherwise;

    private final Map<String, PlacementTarget> listed;
    private final NavigableMap<Element, Bounded> bounded = new TreeMap<>(); // by the lower bound

    /** What a lower bound of a range leads to; {@code high} is null if there is no upper bound. */
    private record Bounded(@Nullable Element high, PlacementTarget target) {}

    /**
     * Creates a placement. {@code rangeType} is null if and only if there are no ranges; the ranges are disjoint and in
     * ascending order. An {@link InvalidMapException} has all problems.
     */
    public Placement(
            String rootType,
            @Nullable RangeType rangeType,
            Map<String, PlacementTarget> list,
            List<PlacedRange> ranges,
            Otherwise otherwise) {
        this.rootType = rootType;
        this.rangeType = rangeType;
        this.list = Collections.unmodifiableSortedMap(new TreeMap<>(list));
        this.ranges = List.copyOf(ranges);
        this.otherwise = otherwise;
        this.listed = new HashMap<>(list);
        List<String> problems = new ArrayList<>();
        if (rootType.isEmpty()) {
            problems.add("a placement names no type of roots");
        }
        if ((rangeType == null) != ranges.isEmpty()) {
            problems.add("the placement of %s must say what its ranges are of, if it has any".formatted(rootType));
        }
        if (rangeType != null) {
            addBounds(rangeType, problems);
        }
        if (!problems.isEmpty()) {
            throw new InvalidMapException(problems);
        }
    }

    private void addBounds(RangeType type, List<String> problems) {
        @Nullable Element before = null;
        boolean isFirst = true;
        for (PlacedRange range : ranges) {
            Element low = bound(type, range.low(), range, problems);
            Element high = bound(type, range.high(), range, problems);
            if (low != null && high != null && low.compareTo(high) >= 0) {
                problems.add("range %s of %s ends before it begins".formatted(range, rootType));
            }
            if (!isFirst && !isBehind(before, low)) {
                problems.add("range %s of %s begins before the one before it ends".formatted(range, rootType));
            }
            bounded.put(low == null ? LOWEST : low, new Bounded(high, range.target()));
            before = high;
            isFirst = false;
        }
    }

    private @Nullable Element bound(RangeType type, @Nullable String bound, PlacedRange range, List<String> problems) {
        Element rank = PlacedRange.rank(type, bound);
        if (bound != null && rank == null) {
            problems.add("range %s of %s has a bound that is no %s"
                    .formatted(range, rootType, type.name().toLowerCase(Locale.ROOT)));
        }
        return rank;
    }

    private static boolean isBehind(@Nullable Element end, @Nullable Element begin) {
        return end != null && begin != null && end.compareTo(begin) <= 0;
    }

    /** Returns the slot of a root key with this id (as in the text of the key) and hash slot, or {@link #REFUSED}. */
    public int slotOf(String id, int hashSlot) {
        PlacementTarget target = targetOf(id);
        if (target != null) {
            return target.slotOf(hashSlot);
        }
        return otherwise == Otherwise.HASH ? hashSlot : REFUSED;
    }

    /** Returns the target of an id; null if {@link #otherwise} applies. */
    public @Nullable PlacementTarget targetOf(String id) {
        int comma = id.indexOf(',');
        String first = comma < 0 ? id : id.substring(0, comma);
        PlacementTarget named = listed.getOrDefault(id, listed.get(first));
        Element rank = named != null || rangeType == null ? null : rangeType.order(first);
        return rank == null ? named : targetInRanges(rank);
    }

    @Nullable
    PlacementTarget targetInRanges(Element rank) {
        Map.Entry<Element, Bounded> found = bounded.floorEntry(rank);
        Bounded range = found == null ? null : found.getValue();
        return range == null || (range.high() != null && rank.compareTo(range.high()) >= 0) ? null : range.target();
    }

    /** Returns the bounds of all ranges; an open lower one is the lowest rank of all. */
    Set<Element> bounds() {
        Set<Element> all = new TreeSet<>(bounded.keySet());
        bounded.values().stream().map(Bounded::high).flatMap(Stream::ofNullable).forEach(all::add);
        return all;
    }

    public String rootType() {
        return rootType;
    }

    public @Nullable RangeType rangeType() {
        return rangeType;
    }

    public SortedMap<String, PlacementTarget> list() {
        return list;
    }

    public List<PlacedRange> ranges() {
        return ranges;
    }

    public Otherwise otherwise() {
        return otherwise;
    }

    public Stream<PlacementTarget> targets() {
        return Stream.concat(list.values().stream(), ranges.stream().map(PlacedRange::target));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Placement that
                && rootType.equals(that.rootType)
                && rangeType == that.rangeType
                && list.equals(that.list)
                && ranges.equals(that.ranges)
                && otherwise == that.otherwise;
    }

    @Override
    public int hashCode() {
        return 31 * rootType.hashCode() + 7 * list.hashCode() + ranges.hashCode();
    }

    /** Omits the ids, which must not be logged. */
    @Override
    public String toString() {
        return "placement of %s: %d in a list, %d ranges, else %s"
                .formatted(rootType, list.size(), ranges.size(), otherwise);
    }

    /** The treatment of a root key without an entry in its placement. */
    public enum Otherwise {
        HASH,

        REFUSE
    }

    /** A range of ids, from {@code low}, inclusive, to {@code high}, exclusive; null stands for no bound. */
    public record PlacedRange(
            @Nullable String low, @Nullable String high, PlacementTarget target) {
        /** Returns ranges in the order of their bounds; those with bounds of another type come last. */
        public static List<PlacedRange> inOrder(RangeType type, List<PlacedRange> ranges) {
            Comparator<@Nullable Element> ranks = Comparator.nullsLast(Comparator.naturalOrder());
            return ranges.stream()
                    .sorted(Comparator.comparing((PlacedRange range) -> range.low() != null)
                            .thenComparing(range -> rank(type, range.low()), ranks))
                    .toList();
        }

        /** Returns the rank of a bound; null if there is none, or it does not have the type. */
        static @Nullable Element rank(RangeType type, @Nullable String bound) {
            return bound == null ? null : type.order(bound);
        }

        @Override
        public String toString() {
            return "[" + (low == null ? "" : low) + "," + (high == null ? "" : high) + ")";
        }
    }
}
