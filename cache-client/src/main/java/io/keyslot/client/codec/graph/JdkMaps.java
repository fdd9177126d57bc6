// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.GraphType.Sharing;
import io.keyslot.client.codec.graph.JdkTypes.Table;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The mutable maps of {@code java.util}. */
@SuppressWarnings("JdkObsolete") // Obsolete classes are values, too.
final class JdkMaps {
    private JdkMaps() {}

    static void addTo(Table table) {
        hash(table, 66, HashMap.class, Order.SORTED_IF_ENUMS, size -> new HashMap<>(capacity(size)));
        hash(table, 67, LinkedHashMap.class, Order.AS_ITERATED, size -> new LinkedHashMap<>(capacity(size)));
        hash(table, 69, Hashtable.class, Order.SORTED_IF_ENUMS, size -> new Hashtable<>(capacity(size)));
        hash(table, 71, ConcurrentHashMap.class, Order.SORTED_IF_ENUMS, ConcurrentHashMap::new);
        sorted(table, 68, TreeMap.class, TreeMap::new);
        sorted(table, 72, ConcurrentSkipListMap.class, ConcurrentSkipListMap::new);
        table.add(70, new PropertiesSerializer(), Sharing.BY_CONTENT, Properties.class);
        table.add(73, new EnumMapSerializer(), Sharing.BY_CONTENT, EnumMap.class);
    }

    /** Returns the capacity with which a hash table takes this many entries without growing. */
    static int capacity(int size) {
        return (int) Math.min(1L << 30, size * 4L / 3 + 1);
    }

    private static void hash(
            Table table,
            int number,
            Class<?> type,
            Order order,
            IntFunction<? extends Map<@Nullable Object, @Nullable Object>> factory) {
        table.add(number, new MapSerializer(order, factory), Sharing.BY_CONTENT, type);
    }

    private static void sorted(
            Table table,
            int number,
            Class<?> type,
            Function<
                            @Nullable Comparator<? super @Nullable Object>,
                            ? extends SortedMap<@Nullable Object, @Nullable Object>>
                    factory) {
        table.add(number, new SortedMapSerializer(factory), Sharing.BY_CONTENT, type);
    }
}
