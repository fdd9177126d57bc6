// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.kryo5.serializers.OptionalSerializers;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.allow.ClassRefusal;
import io.keyslot.client.codec.graph.ContainerSerializer.Place;
import io.keyslot.client.codec.graph.GraphType.Sharing;
import io.keyslot.client.codec.graph.JdkTypes.Table;
import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The collections and maps of the JDK, its wrappers, entries and optionals. The classes of many are hidden, so samples stand
 * for them. A wrapper hides what it wraps: it comes back around an ordinary container with the same content, order and
 * comparator.
 */
// Obsolete classes are values, too. Some take null, others refuse it; the signatures of the JDK do not say.
@SuppressWarnings({"JdkObsolete", "NullAway"})
final class JdkContainers {
    /** The most elements of a set that compares each with each; a million would take minutes. */
    private static final int MAX_SCANNED = 10_000;

    private final Table table;

    private JdkContainers(Table table) {
        this.table = table;
    }

    static void addTo(Table table) {
        JdkContainers containers = new JdkContainers(table);
        containers.addCollections();
        containers.addMaps();
        containers.addEnums();
        containers.addImmutable();
        containers.addUnmodifiable();
        containers.addSynchronized();
        containers.addSmall();
    }

    private void addCollections() {
        list(50, ArrayList::new);
        list(51, size -> new LinkedList<>());
        list(52, ArrayDeque::new);
        list(53, Vector::new);
        list(54, size -> new Stack<>());
        list(56, size -> new ConcurrentLinkedQueue<>());
        list(57, size -> new ConcurrentLinkedDeque<>());
        // Built at once: each addition copies the whole.
        builtList(55, CopyOnWriteArrayList::new, new CopyOnWriteArrayList<>());
        sorted(58, PriorityQueue::new);
        sorted(61, TreeSet::new);
        sorted(62, ConcurrentSkipListSet::new);
        hash(59, ElementOrder.SORTED_IF_ENUMS, size -> new HashSet<>(capacity(size)));
        hash(60, ElementOrder.AS_ITERATED, size -> new LinkedHashSet<>(capacity(size)));
        hash(64, ElementOrder.SORTED_IF_ENUMS, ConcurrentHashMap::newKeySet);
        built(
                63,
                ContainerSerializer.of(Place.HASHED, ElementOrder.AS_ITERATED, (none, size) -> new ArrayList<>(size))
                        .withContent(JdkContainers::requireScannable)
                        .builtBy(elements -> new CopyOnWriteArraySet<>(scannable((List<?>) elements))),
                new CopyOnWriteArraySet<>());
    }

    private void addMaps() {
        hash(66, ElementOrder.SORTED_IF_ENUMS, size -> new HashMap<>(capacity(size)));
        hash(67, ElementOrder.AS_ITERATED, size -> new LinkedHashMap<>(capacity(size)));
        hash(69, ElementOrder.SORTED_IF_ENUMS, size -> new Hashtable<>(capacity(size)));
        hash(71, ElementOrder.SORTED_IF_ENUMS, ConcurrentHashMap::new);
        sorted(68, TreeMap::new);
        sorted(72, ConcurrentSkipListMap::new);
        add(
                70,
                ContainerSerializer.of(Place.HASHED, ElementOrder.SORTED_IF_ENUMS, (none, size) -> new Properties())
                        .withContent(JdkContainers::requireNoDefaults),
                new Properties());
    }

    private void addEnums() {
        EnumContainerSerializer sets = new EnumContainerSerializer(false);
        add(65, sets, EnumSet.noneOf(Place.class), EnumSet.noneOf(Character.UnicodeScript.class));
        add(73, new EnumContainerSerializer(true), new EnumMap<>(Place.class));
    }

    private void addImmutable() {
        List<Integer> several = List.of(1, 2, 3);
        builtList(74, elements -> Arrays.asList(elements.toArray()), Arrays.asList(1, 2));
        builtList(
                75,
                JdkContainers::immutableList,
                several,
                List.of(),
                List.of(1),
                several.subList(1, 3),
                Stream.of(1, 2, 3).toList(),
                Collections.nCopies(2, 1));
        builtSet(76, ElementOrder.SORTED_IF_COMPARABLE, Set::copyOf, Set.of(1, 2, 3), Set.of(), Set.of(1));
        builtMap(77, ElementOrder.SORTED_IF_COMPARABLE, Map::copyOf, Map.of(1, 1, 2, 2), Map.of(), Map.of(1, 1));
    }

    private void addUnmodifiable() {
        builtList(87, Collections::unmodifiableCollection, Collections.unmodifiableCollection(List.of()));
        builtList(
                88,
                Collections::unmodifiableList,
                Collections.unmodifiableList(new ArrayList<>()),
                Collections.unmodifiableList(new LinkedList<>()));
        builtSet(
                89,
                ElementOrder.AS_ITERATED,
                Collections::unmodifiableSet,
                Collections.unmodifiableSet(new TreeSet<>()));
        sortedSet(90, Collections::unmodifiableSortedSet);
        sortedSet(91, Collections::unmodifiableNavigableSet);
        builtMap(
                92,
                ElementOrder.AS_ITERATED,
                Collections::unmodifiableMap,
                Collections.unmodifiableMap(new TreeMap<>()));
        sortedMap(93, Collections::unmodifiableSortedMap);
        sortedMap(94, Collections::unmodifiableNavigableMap);
    }

    private void addSynchronized() {
        builtList(95, Collections::synchronizedCollection, Collections.synchronizedCollection(List.of()));
        builtList(
                96,
                Collections::synchronizedList,
                Collections.synchronizedList(new ArrayList<>()),
                Collections.synchronizedList(new LinkedList<>()));
        builtSet(
                97,
                ElementOrder.AS_ITERATED,
                Collections::synchronizedSet,
                Collections.synchronizedSet(new TreeSet<>()));
        sortedSet(98, Collections::synchronizedSortedSet);
        sortedSet(99, Collections::synchronizedNavigableSet);
        builtMap(
                100,
                ElementOrder.AS_ITERATED,
                Collections::synchronizedMap,
                Collections.synchronizedMap(new TreeMap<>()));
        sortedMap(101, Collections::synchronizedSortedMap);
        sortedMap(102, Collections::synchronizedNavigableMap);
    }

    private void addSmall() {
        built(36, new OptionalSerializers.OptionalSerializer(), Optional.empty());
        table.add(
                109,
                new BuiltSerializer<>(new DefaultSerializers.AtomicReferenceSerializer()),
                Sharing.BY_IDENTITY,
                AtomicReference.class);
        built(84, new DefaultSerializers.CollectionsSingletonListSerializer(), Collections.singletonList(1));
        built(85, new DefaultSerializers.CollectionsSingletonSetSerializer(), Collections.singleton(1));
        built(86, new DefaultSerializers.CollectionsSingletonMapSerializer(), Collections.singletonMap(1, 1));
        entry(78, Map::entry, Map.entry(1, 1));
        entry(79, SimpleEntry::new, new SimpleEntry<>(1, 1));
        entry(80, SimpleImmutableEntry::new, new SimpleImmutableEntry<>(1, 1));
    }

    private void list(int number, IntFunction<Collection<?>> maker) {
        add(
                number,
                ContainerSerializer.of(Place.ORDERED, ElementOrder.AS_ITERATED, (none, size) -> maker.apply(size)),
                maker.apply(0));
    }

    private void hash(int number, ElementOrder order, IntFunction<Object> maker) {
        add(number, ContainerSerializer.of(Place.HASHED, order, (none, size) -> maker.apply(size)), maker.apply(0));
    }

    private void sorted(int number, Function<@Nullable Comparator<Object>, Object> maker) {
        add(number, sortedBy(maker), maker.apply(null));
    }

    @SuppressWarnings("unchecked") // A comparator of another type fails with the first element.
    private static ContainerSerializer sortedBy(Function<@Nullable Comparator<Object>, Object> maker) {
        return ContainerSerializer.of(
                        Place.ORDERED, ElementOrder.AS_ITERATED, (head, size) -> maker.apply((Comparator<Object>) head))
                .withHeader(JdkContainers::comparatorOf);
    }

    private static @Nullable Object comparatorOf(Object container) {
        if (container instanceof SortedMap<?, ?> map) {
            return map.comparator();
        }
        return container instanceof SortedSet<?> set ? set.comparator() : ((PriorityQueue<?>) container).comparator();
    }

    @SuppressWarnings("unchecked") // Anything may be in it.
    private void builtList(int number, Function<List<Object>, Object> builder, Object... samples) {
        built(
                number,
                ContainerSerializer.of(Place.ORDERED, ElementOrder.AS_ITERATED, (none, size) -> new ArrayList<>(size))
                        .builtBy(elements -> builder.apply((List<Object>) elements)),
                samples);
    }

    @SuppressWarnings("unchecked") // Anything may be in it.
    private void builtSet(int number, ElementOrder order, Function<Set<Object>, Object> builder, Object... samples) {
        built(
                number,
                ContainerSerializer.of(Place.HASHED, order, (none, size) -> new LinkedHashSet<>(capacity(size)))
                        .builtBy(elements -> builder.apply((Set<Object>) elements)),
                samples);
    }

    @SuppressWarnings("unchecked") // Anything may be in it.
    private void builtMap(
            int number, ElementOrder order, Function<Map<Object, Object>, Object> builder, Object... samples) {
        built(
                number,
                ContainerSerializer.of(Place.HASHED, order, (none, size) -> new LinkedHashMap<>(capacity(size)))
                        .builtBy(entries -> builder.apply((Map<Object, Object>) entries)),
                samples);
    }

    @SuppressWarnings("unchecked") // Anything may be in it.
    private void sortedSet(int number, Function<NavigableSet<Object>, Object> wrapper) {
        built(
                number,
                sortedBy(TreeSet::new).builtBy(set -> wrapper.apply((NavigableSet<Object>) set)),
                wrapper.apply(new TreeSet<>()));
    }

    @SuppressWarnings("unchecked") // Anything may be in it.
    private void sortedMap(int number, Function<NavigableMap<Object, Object>, Object> wrapper) {
        built(
                number,
                sortedBy(TreeMap::new).builtBy(map -> wrapper.apply((NavigableMap<Object, Object>) map)),
                wrapper.apply(new TreeMap<>()));
    }

    /** An entry is written as the list of its key and its value. */
    private void entry(int number, BiFunction<Object, Object, Object> builder, Object sample) {
        built(
                number,
                ContainerSerializer.of(Place.ORDERED, ElementOrder.AS_ITERATED, (none, size) -> new ArrayList<>(size))
                        .withContent(entry -> keyAndValue((Map.Entry<?, ?>) entry))
                        .builtBy(pair -> builder.apply(((List<?>) pair).get(0), ((List<?>) pair).get(1))),
                sample);
    }

    private void built(int number, Serializer<?> serializer, Object... samples) {
        add(number, new BuiltSerializer<>(serializer), samples);
    }

    private void add(int number, Serializer<?> serializer, Object... samples) {
        Class<?>[] classes =
                Arrays.stream(samples).map(Object::getClass).distinct().toArray(Class<?>[]::new);
        table.add(number, serializer, Sharing.BY_CONTENT, classes);
    }

    /** Returns the capacity with which a hash table takes this many entries without growing. */
    private static int capacity(int size) {
        return (int) Math.min(1L << 30, size * 4L / 3 + 1);
    }

    private static Object keyAndValue(Map.Entry<?, ?> entry) {
        return Arrays.asList(entry.getKey(), entry.getValue());
    }

    /** {@code List.of} takes no null, {@code Stream.toList} does; their classes are the same. */
    private static List<?> immutableList(List<?> elements) {
        return elements.stream().allMatch(Objects::nonNull)
                ? List.copyOf(elements)
                : elements.stream().toList();
    }

    private static Object requireScannable(Object set) {
        int size = ((Set<?>) set).size();
        if (size > MAX_SCANNED) {
            throw ClassRefusal.of(
                    Types.CODEC,
                    set.getClass(),
                    "has %d elements, may have %d: use another set".formatted(size, MAX_SCANNED));
        }
        return set;
    }

    private static List<?> scannable(List<?> elements) {
        if (elements.size() > MAX_SCANNED) {
            throw new KryoException("A set is larger than it may be");
        }
        return elements;
    }

    /** Properties with defaults do not tell which those are. */
    private static Object requireNoDefaults(Object object) {
        Properties properties = (Properties) object;
        if (!properties.keySet().containsAll(properties.stringPropertyNames())) {
            throw new CodecException("Codec kryo: java.util.Properties with defaults have no encoded form");
        }
        return properties;
    }
}
