// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.kryo5.serializers.CompatibleFieldSerializer;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultArraySerializers;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.kryo5.serializers.EnumMapSerializer;
import com.esotericsoftware.kryo.kryo5.serializers.FieldSerializer;
import com.esotericsoftware.kryo.kryo5.serializers.ImmutableCollectionsSerializers;
import com.esotericsoftware.kryo.kryo5.serializers.JavaSerializer;
import com.esotericsoftware.kryo.kryo5.serializers.MapSerializer;
import com.esotericsoftware.kryo.kryo5.serializers.TimeSerializers;
import com.sun.management.ThreadMXBean;
import io.keyslot.client.codec.allow.AllowedClasses;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every serializer of ours that Kryo has too, and how Kryo's own fails, although it reads from our bounded input. Where no
 * failure can be shown, Kryo's is used.
 */
@SuppressWarnings({"JdkObsolete", "JavaUtilDate", "rawtypes", "unchecked"}) // Obsolete classes are values, too.
class KryoSerializersTest {
    private static final int MANY = 1 << 22;
    private static final AtomicInteger HASHED = new AtomicInteger();

    /** Types of the JDK that we write ourselves, and what shows that Kryo's serializer is not enough. */
    static Stream<Row> rows() {
        return Stream.of(
                row("makes an array of as many elements as the bytes say", KryoSerializersTest::booleans, 40),
                row("makes an array of as many elements as the bytes say", KryoSerializersTest::arrays, 48, 49),
                row("gives back another locale", KryoSerializersTest::locale, 14),
                row("gives back another time zone", KryoSerializersTest::timeZone, 19),
                row("gives back a calendar of the reader's country", KryoSerializersTest::calendar, 20),
                row("gives back another hour", KryoSerializersTest::zonedDateTime, 27),
                row("has no form for interfaces", KryoSerializersTest::classes, 110),
                row(
                        "makes a list of as many elements as the bytes say",
                        () -> assertManyFromFew(new CollectionSerializer(), ArrayList.class),
                        50,
                        51,
                        52,
                        53,
                        54,
                        55,
                        56,
                        57),
                row(
                        "makes a queue of as many elements as the bytes say",
                        () -> assertManyFromFew(new DefaultSerializers.PriorityQueueSerializer(), PriorityQueue.class),
                        58),
                row("counts elements, and then writes others", KryoSerializersTest::changing, 56, 57, 62, 64),
                row("computes hash codes that take years", KryoSerializersTest::hashing, 59, 60, 63, 64, 66, 67),
                row("writes equal sets as different bytes", KryoSerializersTest::order, 59, 60, 61, 62),
                row(
                        "makes a table of as many entries as the bytes say",
                        () -> assertManyFromFew(new MapSerializer(), HashMap.class),
                        66,
                        67,
                        68,
                        69,
                        70,
                        71,
                        72),
                row("cannot be read over if the enum is not known", KryoSerializersTest::enumSet, 65),
                row("must know the enum beforehand", KryoSerializersTest::enumMap, 73),
                row(
                        "makes a list of as many elements as the bytes say",
                        () -> assertManyFromFew(new DefaultSerializers.ArraysAsListSerializer(), ArrayList.class),
                        74),
                row("makes a list of as many elements as the bytes say", KryoSerializersTest::immutableList, 75),
                row("writes equal sets as different bytes", KryoSerializersTest::immutableSetAndMap, 76, 77),
                // Entries of maps, orders, and wrappers.
                row("are not known to Kryo", () -> {}, 78, 79, 80, 103, 104, 105),
                row("are not known to Kryo", () -> {}, 87, 88, 89, 90, 91, 92, 93, 94),
                row("are not known to Kryo", () -> {}, 95, 96, 97, 98, 99, 100, 101, 102));
    }

    private static Row row(String reason, Runnable failure, Integer... numbers) {
        return new Row(List.of(numbers), reason, failure);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void serializerOfKryo_isNotEnough(Row row) {
        row.failure.run();
    }

    /** Who adds a serializer that Kryo has must show that Kryo's fails. */
    @Test
    void everySerializerOfOurs_isNamedHere() {
        Set<Integer> ours = new TreeSet<>();
        for (int number = 0; number < JdkTypes.MAX_TYPES - 1; number++) {
            Serializer<?> serializer = JdkTypes.numbered(number).getSerializer();
            if (serializer instanceof BuiltSerializer<?> built) {
                serializer = built.serializer;
            }
            if (!serializer.getClass().getName().startsWith("com.esotericsoftware.")) {
                ours.add(number);
            }
        }

        Set<Integer> named = new TreeSet<>();
        rows().forEach(row -> named.addAll(row.numbers));
        assertThat(ours).isEqualTo(named);
    }

    /** What a serializer of Kryo may call: all of it must look at the bytes that are left. */
    @Test
    void everyMethodOfKryosInputThatAllocates_isOverridden() throws NoSuchMethodException {
        for (Method method : Input.class.getMethods()) {
            Class<?> type = method.getReturnType();
            boolean allocates = method.getDeclaringClass() == Input.class
                    && method.getName().startsWith("read")
                    && (type.isArray() || CharSequence.class.isAssignableFrom(type));

            if (allocates) {
                assertThat(BoundedInput.class.getMethod(method.getName(), method.getParameterTypes()))
                        .extracting(Method::getDeclaringClass)
                        .isEqualTo(BoundedInput.class);
            }
        }
    }

    @Test
    void namesOfFields_areAsManyAsTheBytesSay() {
        Kryo kryo = kryo();
        kryo.register(Amount.class, new CompatibleFieldSerializer<>(kryo, Amount.class));

        assertThat(allocatedBy(() -> readForged(kryo, Amount.class))).isGreaterThan(MANY);
    }

    @Test
    void fieldsWithoutNames_areReadIntoOthers() {
        Kryo writer = kryo();
        FieldSerializer<Amount> older = new FieldSerializer<>(writer, Amount.class);
        older.removeField("cents");
        ValueOutput output = new ValueOutput(100);
        writer.writeObject(output, new Amount(0, 5), older);
        output.writeByte(0);

        Kryo reader = kryo();
        Amount copy =
                reader.readObject(input(output.toBytes()), Amount.class, new FieldSerializer<>(reader, Amount.class));

        assertThat(copy.cents).isEqualTo(5);
    }

    @Test
    void recordOfKryo_isWhatItsAccessorsSay() {
        assertThat(copyOf(kryo(), new Rounded(17))).isNotEqualTo(new Rounded(17));
    }

    /** So an exception could be any object of any class. */
    @Test
    void javaSerialization_asksForNoPermission() {
        Kryo kryo = with(new JavaSerializer(), Holder.class);
        kryo.setRegistrationRequired(true);

        Holder copy = (Holder) copyOf(kryo, new Holder(new ReentrantLock()));

        assertThat(copy).extracting(holder -> holder.held).isInstanceOf(ReentrantLock.class);
    }

    private static void booleans() {
        assertManyFromFew(new DefaultArraySerializers.BooleanArraySerializer(), boolean[].class);
    }

    private static void arrays() {
        Kryo kryo = kryo();
        assertManyFromFew(new DefaultArraySerializers.StringArraySerializer(), String[].class);
        assertManyFromFew(new DefaultArraySerializers.ObjectArraySerializer(kryo, Object[].class), Object[].class);
    }

    private static void locale() {
        Locale traditional = Locale.forLanguageTag("zh-Hant-TW");

        assertThat(copyOf(with(new DefaultSerializers.LocaleSerializer(), Locale.class), traditional))
                .isNotEqualTo(traditional);
    }

    private static void timeZone() {
        TimeZone zone = TimeZone.getTimeZone("Europe/Paris");
        Kryo kryo = with(new DefaultSerializers.TimeZoneSerializer(), zone.getClass());
        zone.setRawOffset(1);

        assertThat(copyOf(kryo, zone)).isNotEqualTo(zone);
    }

    private static void calendar() {
        GregorianCalendar calendar = new GregorianCalendar();
        Locale here = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("th-TH"));
        try {
            Kryo kryo = with(new DefaultSerializers.CalendarSerializer(), GregorianCalendar.class);
            Calendar copy = (Calendar) copyOf(kryo, calendar);
            assertThat(copy).isNotEqualTo(calendar);
        } finally {
            Locale.setDefault(here);
        }
    }

    private static void zonedDateTime() {
        LocalDateTime twice = LocalDateTime.of(2026, 10, 25, 2, 30);
        ZonedDateTime second =
                ZonedDateTime.of(twice, ZoneId.of("Europe/Paris")).withLaterOffsetAtOverlap();

        assertThat(copyOf(with(new TimeSerializers.ZonedDateTimeSerializer(), ZonedDateTime.class), second))
                .isNotEqualTo(second);
    }

    private static void classes() {
        Graph graph = graph();

        assertThatThrownBy(() ->
                        new DefaultSerializers.ClassSerializer().write(graph, new ValueOutput(100), Runnable.class))
                .hasMessageContaining("java.lang.Runnable has no encoded form");
    }

    /** A list that loses an element after its size was asked for. */
    private static void changing() {
        List<Object> changing = new AbstractList<>() {
            @Override
            public Object get(int index) {
                return "x";
            }

            @Override
            public int size() {
                return 3;
            }

            @Override
            public Iterator<Object> iterator() {
                return List.<Object>of("x", "y").iterator();
            }
        };
        Kryo kryo = kryo();
        ValueOutput output = new ValueOutput(100);
        kryo.writeObject(output, changing, new CollectionSerializer());

        assertThatThrownBy(() -> kryo.readObject(input(output.toBytes()), ArrayList.class, new CollectionSerializer()))
                .isInstanceOf(KryoException.class);
    }

    /** A list of a list twice, which is a list of a list twice, and so on. */
    private static void hashing() {
        List<Object> nested = new ArrayList<>(List.of(new Counting()));
        for (int i = 0; i < 16; i++) {
            nested = new ArrayList<>(List.of(nested, nested));
        }
        Kryo kryo = kryo();
        byte[] set = bytesOf(kryo, new HashSet<>(List.of(nested)));
        byte[] map = bytesOf(kryo, new HashMap<>(Map.of(nested, 1)));
        HASHED.set(0);

        read(kryo, set);
        read(kryo, map);

        assertThat(set).hasSizeLessThan(500);
        assertThat(HASHED).hasValueGreaterThanOrEqualTo(2 << 16);
    }

    private static void order() {
        Set<Object> forward = new HashSet<>(8);
        Set<Object> backward = new HashSet<>(8);
        forward.addAll(List.of("Aa", "BB"));
        backward.addAll(List.of("BB", "Aa"));

        assertThat(forward).isEqualTo(backward);
        assertThat(bytesOf(kryo(), forward)).isNotEqualTo(bytesOf(kryo(), backward));
    }

    /** Where a field is skipped, another class stands for one that is not known. */
    private static void enumSet() {
        Kryo kryo = kryo();
        ValueOutput output = new ValueOutput(100);
        kryo.writeClass(output, String.class);
        output.writeVarInt(1, true);
        output.writeString("A");

        assertThatThrownBy(() ->
                        new DefaultSerializers.EnumSetSerializer().read(kryo, input(output.toBytes()), EnumSet.class))
                .isInstanceOf(ClassCastException.class);
    }

    private static void enumMap() {
        Kryo kryo = with(new EnumMapSerializer(TimeUnit.class), EnumMap.class);

        assertThatThrownBy(() -> copyOf(kryo, new EnumMap<>(Map.of(Thread.State.NEW, 1))))
                .isInstanceOf(RuntimeException.class);
    }

    private static void immutableList() {
        Kryo kryo = kryo();
        ImmutableCollectionsSerializers.registerSerializers(kryo);

        assertThat(allocatedBy(() -> readForged(kryo, List.of(1, 2, 3).getClass())))
                .isGreaterThan(MANY);
    }

    private static void immutableSetAndMap() {
        Kryo kryo = kryo();
        ImmutableCollectionsSerializers.registerSerializers(kryo);

        assertThat(bytesOf(kryo, Set.of("a", "b"))).isNotEqualTo(bytesOf(kryo, Set.of("b", "a")));
        assertThat(bytesOf(kryo, Map.of("Aa", 1, "BB", 1))).isNotEqualTo(bytesOf(kryo, Map.of("BB", 1, "Aa", 1)));
    }

    private static void assertManyFromFew(Serializer<?> serializer, Class<?> type) {
        Kryo kryo = with(serializer, type);

        assertThat(allocatedBy(() -> readForged(kryo, type))).isGreaterThan(MANY);
    }

    /** Reads an object that says that it has very many elements, and then has a few of them. */
    private static void readForged(Kryo kryo, Class<?> type) {
        ValueOutput output = new ValueOutput(100);
        kryo.writeClass(output, type);
        output.writeByte(Kryo.NOT_NULL);
        if (Collection.class.isAssignableFrom(type)) {
            output.writeVarIntFlag(false, MANY + 1, true);
        } else {
            output.writeVarInt(MANY + 1, true);
        }
        output.writeBytes(new byte[8]);
        assertThatThrownBy(() -> kryo.readClassAndObject(input(output.toBytes())))
                .isInstanceOf(RuntimeException.class);
    }

    private static Kryo with(Serializer<?> serializer, Class<?> type) {
        Kryo kryo = kryo();
        kryo.register(type, serializer);
        return kryo;
    }

    private static Kryo kryo() {
        Kryo kryo = new Kryo();
        kryo.setRegistrationRequired(false);
        kryo.setReferences(true);
        return kryo;
    }

    private static Graph graph() {
        return Graph.create(
                new Types(AllowedClasses.everything(), KryoSerializersTest.class.getClassLoader()), new Replacements());
    }

    private static @Nullable Object copyOf(Kryo kryo, Object value) {
        return read(kryo, bytesOf(kryo, value));
    }

    private static @Nullable Object read(Kryo kryo, byte[] bytes) {
        return kryo.readClassAndObject(input(bytes));
    }

    private static byte[] bytesOf(Kryo kryo, Object value) {
        ValueOutput output = new ValueOutput(100);
        kryo.writeClassAndObject(output, value);
        return output.toBytes();
    }

    private static BoundedInput input(byte[] bytes) {
        BoundedInput input = new BoundedInput();
        input.take(bytes, 0, bytes.length);
        return input;
    }

    private static long allocatedBy(Runnable action) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        action.run();
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }

    /** Types by their numbers, and what is wrong with Kryo's serializer for them. */
    record Row(List<Integer> numbers, String reason, Runnable failure) {
        @Override
        public String toString() {
            return "%s: %s".formatted(numbers, reason);
        }
    }

    static final class Amount {
        int cents;
        int units;

        Amount() {}

        Amount(int cents, int units) {
            this.cents = cents;
            this.units = units;
        }
    }

    record Rounded(int value) {
        @Override
        public int value() {
            return value / 10 * 10;
        }
    }

    static final class Holder implements Serializable {
        private static final long serialVersionUID = 1L;

        private final Serializable held;

        Holder(Serializable held) {
            this.held = held;
        }
    }

    static final class Counting {
        @Override
        public boolean equals(Object other) {
            return other instanceof Counting;
        }

        @Override
        public int hashCode() {
            HASHED.incrementAndGet();
            return 1;
        }
    }
}
