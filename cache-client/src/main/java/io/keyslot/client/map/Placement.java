// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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

    private static final int NOWHERE = -1;
    private static final int SEVERAL = -1;
    private static final RankedBounds NO_BOUNDS = new RankedBounds(List.of(), List.of());

    private final String rootType;
    private final @Nullable RangeType rangeType;
    private final SortedMap<String, PlacementTarget> list;
    private final List<PlacedRange> ranges;
    private final Otherwise otherwise;

    private final ListedIds listed;
    private final RankedBounds bounds; // of the ranges

    // Of all entries: first the list, then the ranges.
    private final int firstRange;
    private final PlacementTarget[] targets;
    private final int[] onlySlots; // the slot of entries with one slot, which saves following references

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
        this.listed = new ListedIds(this.list.keySet());
        this.firstRange = list.size();
        this.targets = targets().toArray(PlacementTarget[]::new);
        this.onlySlots = Stream.of(targets)
                .mapToInt(target -> target.spread().count() == 1 ? target.first() : SEVERAL)
                .toArray();
        List<String> problems = new ArrayList<>();
        if (rootType.isEmpty()) {
            problems.add("a placement names no type of roots");
        }
        if ((rangeType == null) != ranges.isEmpty()) {
            problems.add("the placement of %s must say what its ranges are of, if it has any".formatted(rootType));
        }
        this.bounds = rangeType == null ? NO_BOUNDS : checkedBounds(rangeType, problems);
        if (!problems.isEmpty()) {
            throw new InvalidMapException(problems);
        }
    }

    private RankedBounds checkedBounds(RangeType type, List<String> problems) {
        List<@Nullable Rank> lows = new ArrayList<>();
        List<@Nullable Rank> highs = new ArrayList<>();
        @Nullable Rank before = null;
        for (PlacedRange range : ranges) {
            Rank low = bound(type, range.low(), range, problems);
            Rank high = bound(type, range.high(), range, problems);
            if (low != null && high != null && low.compareTo(high) >= 0) {
                problems.add("range %s of %s ends before it begins".formatted(range, rootType));
            }
            if (!lows.isEmpty() && !isBehind(before, low)) {
                problems.add("range %s of %s begins before the one before it ends".formatted(range, rootType));
            }
            lows.add(low);
            highs.add(high);
            before = high;
        }
        return new RankedBounds(lows, highs);
    }

    private @Nullable Rank bound(RangeType type, @Nullable String bound, PlacedRange range, List<String> problems) {
        Rank rank = PlacedRange.rank(type, bound);
        if (bound != null && rank == null) {
            problems.add("range %s of %s has a bound that is no %s"
                    .formatted(range, rootType, type.name().toLowerCase(Locale.ROOT)));
        }
        return rank;
    }

    private static boolean isBehind(@Nullable Rank end, @Nullable Rank begin) {
        return end != null && begin != null && end.compareTo(begin) <= 0;
    }

    /** Returns the slot of a root key with this id (as in the text of the key) and hash slot, or {@link #REFUSED}. */
    public int slotOf(IdText id, int hashSlot) {
        int entry = entryOf(id);
        if (entry == NOWHERE) {
            return otherwise == Otherwise.HASH ? hashSlot : REFUSED;
        }
        int only = onlySlots[entry];
        return only == SEVERAL ? targets[entry].slotOf(hashSlot) : only;
    }

    /** Returns the target of an id; null if {@link #otherwise} applies. */
    public @Nullable PlacementTarget targetOf(IdText id) {
        int entry = entryOf(id);
        return entry == NOWHERE ? null : targets[entry];
    }

    @SuppressWarnings("ReferenceEquality") // An id of one item is its first item.
    private int entryOf(IdText id) {
        int whole = listed.find(id);
        if (whole != ListedIds.NONE) {
            return whole;
        }
        IdText first = id.firstItem();
        int item = first == id ? ListedIds.NONE : listed.find(first);
        if (item != ListedIds.NONE) {
            return item;
        }
        int range = rangeType == null ? RankedBounds.NONE : bounds.find(rangeType, first);
        return range == RankedBounds.NONE ? NOWHERE : firstRange + range;
    }

    @Nullable
    PlacementTarget targetInRanges(Rank rank) {
        int found = bounds.find(rank);
        return found == RankedBounds.NONE ? null : ranges.get(found).target();
    }

    @Nullable
    PlacementTarget targetBelowAll() {
        return bounds.isOpenBelow() ? ranges.get(0).target() : null;
    }

    List<Rank> bounds() {
        return bounds.all().toList();
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
            Comparator<@Nullable Rank> ranks = Comparator.nullsLast(Comparator.naturalOrder());
            return ranges.stream()
                    .sorted(Comparator.comparing((PlacedRange range) -> range.low() != null)
                            .thenComparing(range -> rank(type, range.low()), ranks))
                    .toList();
        }

        /** Returns the rank of a bound; null if there is none, or it does not have the type. */
        static @Nullable Rank rank(RangeType type, @Nullable String bound) {
            return bound == null ? null : type.order(IdText.of(bound));
        }

        @Override
        public String toString() {
            return "[" + (low == null ? "" : low) + "," + (high == null ? "" : high) + ")";
        }
    }
}
