// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.ContainerSerializer.ElementOrder;
import io.keyslot.client.codec.GraphType.Sharing;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The common collections and maps of the JDK, its entries and optionals. A container of a hidden class, such as a view
 * or the result of {@code List.of}, and of an obsolete one, is stored as the equal list, set or map of a common class.
 */
// Obsolete classes are values, too. Some take null, others refuse it; the signatures of the JDK do not show which.
@SuppressWarnings({"JdkObsolete", "NullAway"})
final class JdkContainers {
    /** Public classes without a number. A field declared as one of them cannot take the stored class. */
    static final Set<Class<?>> OBSOLETE = Set.of(
            Vector.class, Stack.class, Hashtable.class, Properties.class, WeakHashMap.class, CopyOnWriteArraySet.class);

    private static final int ARRAY_LIST = 50;
    private static final int LINKED_LIST = 51;
    private static final int LINKED_HASH_SET = 60;
    private static final int TREE_SET = 61;
    private static final int LINKED_HASH_MAP = 67;
    private static final int TREE_MAP = 68;
    private static final int IMMUTABLE_ENTRY = 80;

    private JdkContainers() {}

    static void addAll() {
        list(ARRAY_LIST, ArrayList::new);
        list(LINKED_LIST, size -> new LinkedList<>());
        list(52, ArrayDeque::new);
        list(56, size -> new ConcurrentLinkedQueue<>());
        list(57, size -> new ConcurrentLinkedDeque<>());
        sorted(58, PriorityQueue::new);
        sorted(TREE_SET, TreeSet::new);
        sorted(62, ConcurrentSkipListSet::new);
        sorted(TREE_MAP, TreeMap::new);
        sorted(72, ConcurrentSkipListMap::new);
        hash(59, ElementOrder.SORTED_IF_ENUMS, size -> new HashSet<>(capacity(size)));
        hash(LINKED_HASH_SET, ElementOrder.AS_ITERATED, size -> new LinkedHashSet<>(capacity(size)));
        hash(64, ElementOrder.SORTED_IF_ENUMS, ConcurrentHashMap::newKeySet);
        hash(66, ElementOrder.SORTED_IF_ENUMS, size -> new HashMap<>(capacity(size)));
        hash(LINKED_HASH_MAP, ElementOrder.AS_ITERATED, size -> new LinkedHashMap<>(capacity(size)));
        hash(71, ElementOrder.SORTED_IF_ENUMS, ConcurrentHashMap::new);
        add(
                65,
                new EnumContainerSerializer(false),
                EnumSet.noneOf(Sharing.class),
                EnumSet.noneOf(Character.UnicodeScript.class));
        add(73, new EnumContainerSerializer(true), new EnumMap<>(Sharing.class));
        // Each addition to it copies the whole.
        built(55, list -> (List<?>) list, CopyOnWriteArrayList::new, new CopyOnWriteArrayList<>());
        built(
                36,
                some -> ((Optional<?>) some).stream().toList(),
                content -> content.stream().findFirst(),
                Optional.empty());
        built(
                79,
                JdkContainers::keyAndValue,
                pair -> new SimpleEntry<>(pair.get(0), pair.get(1)),
                new SimpleEntry<>(1, 1));
        built(
                IMMUTABLE_ENTRY,
                JdkContainers::keyAndValue,
                pair -> new SimpleImmutableEntry<>(pair.get(0), pair.get(1)),
                new SimpleImmutableEntry<>(1, 1));
        JdkTypes.add(
                109,
                ContainerSerializer.built(
                        reference -> Arrays.asList(((AtomicReference<?>) reference).get()),
                        content -> new AtomicReference<>(content.get(0))),
                Sharing.BY_IDENTITY,
                AtomicReference.class);
    }

    /** Returns the type of an equal container, for classes of the JDK without a number; null for other classes. */
    static @Nullable GraphType equalTo(Class<?> type) {
        boolean hasEqual =
                Modifier.isPublic(type.getModifiers()) ? OBSOLETE.contains(type) : KnownClasses.isJdk(type.getName());
        if (!hasEqual) {
            return null;
        }
        // The order of Set.of depends on the process.
        boolean isStirred = type.getName().startsWith("java.util.ImmutableCollections$");
        if (SortedSet.class.isAssignableFrom(type)) {
            return JdkTypes.numbered(TREE_SET);
        } else if (Set.class.isAssignableFrom(type)) {
            return isStirred ? stirred(LINKED_HASH_SET) : JdkTypes.numbered(LINKED_HASH_SET);
        } else if (SortedMap.class.isAssignableFrom(type)) {
            return JdkTypes.numbered(TREE_MAP);
        } else if (Map.class.isAssignableFrom(type)) {
            return isStirred ? stirred(LINKED_HASH_MAP) : JdkTypes.numbered(LINKED_HASH_MAP);
        } else if (Queue.class.isAssignableFrom(type)) {
            return JdkTypes.numbered(LINKED_LIST);
        } else if (Collection.class.isAssignableFrom(type)) {
            return JdkTypes.numbered(ARRAY_LIST);
        }
        return Map.Entry.class.isAssignableFrom(type) ? JdkTypes.numbered(IMMUTABLE_ENTRY) : null;
    }

    /** Returns the type of a container in a key, where equal ones need the same bytes; throws if it has no order. */
    static @Nullable GraphType inKey(Class<?> type) {
        if (List.class.isAssignableFrom(type) && KnownClasses.isJdk(type.getName())) {
            return JdkTypes.numbered(ARRAY_LIST);
        }
        if (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
            throw ClassRefusal.of(Types.CODEC, type, "is in a key, and its equal ones have other bytes: use a record");
        }
        return JdkTypes.of(type);
    }

    private static GraphType stirred(int number) {
        GraphType type = JdkTypes.numbered(number);
        ContainerSerializer sorting = ((ContainerSerializer) type.serializer()).in(ElementOrder.SORTED_IF_COMPARABLE);
        return GraphType.numbered(number, type.type(), sorting, Sharing.BY_CONTENT);
    }

    private static void list(int number, IntFunction<Collection<?>> maker) {
        add(number, ContainerSerializer.of(false, ElementOrder.AS_ITERATED, maker::apply), maker.apply(0));
    }

    private static void hash(int number, ElementOrder order, IntFunction<Object> maker) {
        add(number, ContainerSerializer.of(true, order, maker), maker.apply(0));
    }

    @SuppressWarnings("unchecked") // A comparator of another type fails with the first element.
    private static void sorted(int number, Function<@Nullable Comparator<Object>, Object> maker) {
        ContainerSerializer serializer =
                ContainerSerializer.sorted(head -> maker.apply((Comparator<Object>) head), JdkContainers::comparatorOf);
        add(number, serializer, maker.apply(null));
    }

    private static void built(
            int number, Function<Object, List<?>> content, Function<List<Object>, Object> builder, Object sample) {
        add(number, ContainerSerializer.built(content, builder), sample);
    }

    private static void add(int number, ValueSerializer<?> serializer, Object... samples) {
        Class<?>[] classes = Arrays.stream(samples).map(Object::getClass).toArray(Class<?>[]::new);
        JdkTypes.add(number, serializer, Sharing.BY_CONTENT, classes);
    }

    private static @Nullable Object comparatorOf(Object container) {
        if (container instanceof SortedMap<?, ?> map) {
            return map.comparator();
        }
        return container instanceof SortedSet<?> set ? set.comparator() : ((PriorityQueue<?>) container).comparator();
    }

    /** Returns the capacity with which a hash table takes this many entries without growing. */
    private static int capacity(int size) {
        return (int) Math.min(1L << 30, size * 4L / 3 + 1);
    }

    private static List<?> keyAndValue(Object entry) {
        return Arrays.asList(((Map.Entry<?, ?>) entry).getKey(), ((Map.Entry<?, ?>) entry).getValue());
    }

    /** Serializes a set of enum constants, or a map with such keys: the enum's class, and names, with values for a map. */
    @SuppressWarnings({"rawtypes", "unchecked"}) // The type of an enum read from bytes cannot be expressed.
    record EnumContainerSerializer(boolean isMap) implements ValueSerializer<Object> {
        @Override
        public void write(Graph graph, ValueOutput output, Object container) {
            Map<?, ?> map = isMap ? (Map<?, ?>) container : Map.of();
            Collection<?> constants = isMap ? map.keySet() : (Collection<?>) container;
            graph.writeType(output, graph.types().of(enumOf(container, constants)));
            output.writeVarInt(constants.size(), true);
            for (Object constant : constants) {
                output.writeString(((Enum<?>) constant).name());
                if (isMap) {
                    graph.writeValue(output, map.get(constant));
                }
            }
        }

        @Override
        public Object read(Graph graph, BoundedInput input, int id) {
            GraphType enumType = graph.readType(input);
            boolean isKnown = enumType != null && enumType.failure() == null;
            Class type = enumType == null ? Object.class : enumType.type();
            if (enumType == null || (isKnown && !type.isEnum())) {
                throw new KryoException("A class is not that of an enum");
            }
            Object container = isKnown ? isMap ? new EnumMap(type) : EnumSet.noneOf(type) : References.UNREAD;
            graph.references().setRead(id, container);
            int size = input.readLength(1);
            for (int i = 0; i < size; i++) {
                String name = input.readString();
                Object constant = isKnown ? Enum.valueOf(type, name) : name;
                Object value = isMap ? graph.readValue(input) : null;
                if (container instanceof Map map) {
                    map.put(constant, value);
                } else if (container instanceof Collection set) {
                    set.add(constant);
                }
            }
            return container;
        }

        private static Class<?> enumOf(Object container, Collection<?> constants) {
            Collection<?> some =
                    container instanceof EnumSet set && set.isEmpty() ? EnumSet.complementOf(set) : constants;
            if (!some.isEmpty()) {
                return ((Enum<?>) some.iterator().next()).getDeclaringClass();
            }
            if (container instanceof EnumMap<?, ?> map) {
                return keyTypeOf(map);
            }
            throw new CodecException("Codec kryo: an EnumSet of an enum without constants has no encoded form");
        }

        /** Only the serialized form of an empty map contains its key type. */
        private static Class<?> keyTypeOf(EnumMap<?, ?> map) {
            AtomicReference<@Nullable Class<?>> found = new AtomicReference<>();
            try (ObjectOutputStream listening = new ObjectOutputStream(OutputStream.nullOutputStream()) {
                @Override
                protected void annotateClass(Class<?> type) {
                    if (type.isEnum()) {
                        found.set(type);
                    }
                }
            }) {
                listening.writeObject(map);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Objects.requireNonNull(found.get());
        }
    }
}
