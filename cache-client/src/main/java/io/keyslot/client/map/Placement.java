// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the keys of one type of root are. Immutable, equal if it says the same.
 *
 * <p>An entry names an id by its text in the key, as {@code redis-cli} shows it: the whole id, or what is before the first
 * comma of a composite one. A list is looked at first, then the ranges.
 */
public final class Placement {
    /** The slot of a key that has none. */
    public static final int REFUSED = -1;

    private final String rootType;
    private final @Nullable RangeType rangeType;
    private final SortedMap<String, PlacementTarget> list;
    private final List<PlacedRange> ranges;
    private final Otherwise otherwise;

    private final Map<String, PlacementTarget> byId;
    private final @Nullable Rank[] lows; // of ranges; null: no first one
    private final @Nullable Rank[] highs;

    /**
     * Creates a placement.
     *
     * @param rootType the entity type of the roots, as the text of a key has it
     * @param rangeType what the ids in ranges are; null if and only if there are none
     * @param ranges from the lowest to the highest; they have no id in common
     * @throws InvalidMapException if there is something wrong with it, with all of that
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
        this.byId = new HashMap<>(list);
        this.lows = new Rank[ranges.size()];
        this.highs = new Rank[ranges.size()];
        List<String> problems = new ArrayList<>();
        if (rootType.isEmpty()) {
            problems.add("a placement names no type of roots");
        }
        if ((rangeType == null) != ranges.isEmpty()) {
            problems.add("the placement of %s must say what its ranges are of, if it has any".formatted(rootType));
        }
        if (rangeType != null) {
            order(rangeType, problems);
        }
        if (!problems.isEmpty()) {
            throw new InvalidMapException(problems);
        }
    }

    private void order(RangeType type, List<String> problems) {
        for (int i = 0; i < ranges.size(); i++) {
            PlacedRange range = ranges.get(i);
            lows[i] = bound(type, range.low(), range, problems);
            highs[i] = bound(type, range.high(), range, problems);
            Rank low = lows[i];
            Rank high = highs[i];
            if (low != null && high != null && low.compareTo(high) >= 0) {
                problems.add("range %s of %s ends before it begins".formatted(range, rootType));
            }
            if (i > 0 && !isBehind(highs[i - 1], low)) {
                problems.add("range %s of %s begins before the one before it ends".formatted(range, rootType));
            }
        }
    }

    private @Nullable Rank bound(RangeType type, @Nullable String bound, PlacedRange range, List<String> problems) {
        Rank order = bound == null ? null : type.order(bound);
        if (bound != null && order == null) {
            problems.add("range %s of %s has a bound that is no %s".formatted(range, rootType, type));
        }
        return order;
    }

    private static boolean isBehind(@Nullable Rank end, @Nullable Rank begin) {
        return end != null && begin != null && end.compareTo(begin) <= 0;
    }

    /**
     * Returns the slot of a root key, or {@link #REFUSED}.
     *
     * @param id its id, as the text of the key has it
     * @param hashSlot what the text of the whole root key hashes to
     */
    public int slotOf(String id, int hashSlot) {
        PlacementTarget target = targetOf(id);
        if (target != null) {
            return target.slotOf(hashSlot);
        }
        return otherwise == Otherwise.HASH ? hashSlot : REFUSED;
    }

    /** Returns where a root key with this id is; null for where {@link #otherwise} says. */
    public @Nullable PlacementTarget targetOf(String id) {
        PlacementTarget whole = byId.get(id);
        if (whole != null) {
            return whole;
        }
        int comma = id.indexOf(',');
        String first = comma < 0 ? id : id.substring(0, comma);
        PlacementTarget listed = comma < 0 ? null : byId.get(first);
        return listed != null || rangeType == null ? listed : targetInRanges(rangeType.order(first));
    }

    /** Returns the target of the range with an id of this rank, null if there is none. */
    @Nullable
    PlacementTarget targetInRanges(@Nullable Rank order) {
        int index = order == null ? -1 : lastThatBegins(order);
        if (order == null || index < 0) {
            return null;
        }
        Rank high = highs[index];
        boolean isInside = high == null || order.compareTo(high) < 0;
        return isInside ? ranges.get(index).target() : null;
    }

    /** Returns the target of what is below all bounds, null if there is none. */
    @Nullable
    PlacementTarget targetBelowAll() {
        return lows.length > 0 && lows[0] == null ? ranges.get(0).target() : null;
    }

    /** Returns where ranges begin and end. */
    List<Rank> bounds() {
        return Stream.concat(Arrays.stream(lows), Arrays.stream(highs))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the last range that does not begin behind an id, -1 if there is none. */
    private int lastThatBegins(Rank order) {
        int low = 0;
        int high = lows.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            Rank begin = lows[middle];
            if (begin == null || begin.compareTo(order) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
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

    /** Returns the targets of all entries. */
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

    /** Returns the type and how many entries there are: ids belong in no log. */
    @Override
    public String toString() {
        return "placement of %s: %d in a list, %d ranges, else %s"
                .formatted(rootType, list.size(), ranges.size(), otherwise);
    }
}
