// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultArraySerializers;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.kryo5.serializers.OptionalSerializers;
import com.esotericsoftware.kryo.kryo5.serializers.TimeSerializers;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.GraphType.Sharing;
import io.keyslot.client.codec.Types.ArraySerializer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The values of the JDK that contain no others, with Kryo's serializers, which {@link BoundedInput} makes safe, or with
 * own ones where Kryo's lose information: of locales, and of the hour that occurs twice when clocks are turned back.
 */
@SuppressWarnings({"JdkObsolete", "JavaUtilDate"}) // Obsolete classes are values, too.
final class JdkValues {
    private JdkValues() {}

    static void addAll() {
        value(0, new DefaultSerializers.BooleanSerializer(), Boolean.class);
        value(1, new DefaultSerializers.ByteSerializer(), Byte.class);
        value(2, new DefaultSerializers.CharSerializer(), Character.class);
        value(3, new DefaultSerializers.ShortSerializer(), Short.class);
        value(4, new DefaultSerializers.IntSerializer(), Integer.class);
        value(5, new DefaultSerializers.LongSerializer(), Long.class);
        value(6, new DefaultSerializers.FloatSerializer(), Float.class);
        value(7, new DefaultSerializers.DoubleSerializer(), Double.class);
        value(9, new DefaultSerializers.BigIntegerSerializer(), BigInteger.class);
        value(10, new DefaultSerializers.BigDecimalSerializer(), BigDecimal.class);
        value(37, new OptionalSerializers.OptionalIntSerializer(), OptionalInt.class);
        value(38, new OptionalSerializers.OptionalLongSerializer(), OptionalLong.class);
        value(39, new OptionalSerializers.OptionalDoubleSerializer(), OptionalDouble.class);

        value(8, new DefaultSerializers.StringSerializer(), String.class);
        value(11, new DefaultSerializers.UUIDSerializer(), UUID.class);
        value(12, new DefaultSerializers.URISerializer(), URI.class);
        value(13, new DefaultSerializers.CurrencySerializer(), Currency.class);
        own(14, Sharing.NEVER, Locale.class, JdkValues::writeLocale, JdkValues::readLocale);
        JdkTypes.add(110, new ClassSerializer(), Sharing.NEVER, Class.class);

        value(21, new TimeSerializers.LocalDateSerializer(), LocalDate.class);
        value(22, new TimeSerializers.LocalTimeSerializer(), LocalTime.class);
        value(23, new TimeSerializers.LocalDateTimeSerializer(), LocalDateTime.class);
        value(24, new TimeSerializers.InstantSerializer(), Instant.class);
        value(25, new TimeSerializers.DurationSerializer(), Duration.class);
        value(26, new TimeSerializers.PeriodSerializer(), Period.class);
        own(27, Sharing.NEVER, ZonedDateTime.class, JdkValues::writeZoned, JdkValues::readZoned);
        value(28, new TimeSerializers.OffsetDateTimeSerializer(), OffsetDateTime.class);
        value(29, new TimeSerializers.OffsetTimeSerializer(), OffsetTime.class);
        value(30, new TimeSerializers.ZoneOffsetSerializer(), ZoneOffset.class);
        // Zones with a name have a hidden class.
        value(
                31,
                new TimeSerializers.ZoneIdSerializer(),
                ZoneId.of("Europe/Paris").getClass());
        value(32, new TimeSerializers.YearSerializer(), Year.class);
        value(33, new TimeSerializers.YearMonthSerializer(), YearMonth.class);
        value(34, new TimeSerializers.MonthDaySerializer(), MonthDay.class);

        // Objects that can change, so references to them are kept.
        // A runtime image may lack the module java.sql, without which Kryo's serializer of dates cannot be loaded.
        own(
                15,
                Sharing.BY_IDENTITY,
                Date.class,
                (to, date) -> to.writeVarLong(date.getTime(), true),
                from -> new Date(from.readVarLong(true)));
        if (ModuleLayer.boot().findModule("java.sql").isPresent()) {
            mutable(16, new DefaultSerializers.DateSerializer(), java.sql.Date.class);
            mutable(17, new DefaultSerializers.DateSerializer(), java.sql.Time.class);
            mutable(18, new DefaultSerializers.TimestampSerializer(), java.sql.Timestamp.class);
        }
        mutable(35, new DefaultSerializers.BitSetSerializer(), BitSet.class);
        mutable(106, new DefaultSerializers.AtomicBooleanSerializer(), AtomicBoolean.class);
        mutable(107, new DefaultSerializers.AtomicIntegerSerializer(), AtomicInteger.class);
        mutable(108, new DefaultSerializers.AtomicLongSerializer(), AtomicLong.class);

        own(
                40,
                Sharing.BY_IDENTITY,
                boolean[].class,
                JdkValues::writeBooleans,
                from -> from.readBooleans(from.readVarInt(true)));
        mutable(41, new DefaultArraySerializers.ByteArraySerializer(), byte[].class);
        mutable(42, new DefaultArraySerializers.CharArraySerializer(), char[].class);
        mutable(43, new DefaultArraySerializers.ShortArraySerializer(), short[].class);
        mutable(44, new DefaultArraySerializers.IntArraySerializer(), int[].class);
        mutable(45, new DefaultArraySerializers.LongArraySerializer(), long[].class);
        mutable(46, new DefaultArraySerializers.FloatArraySerializer(), float[].class);
        mutable(47, new DefaultArraySerializers.DoubleArraySerializer(), double[].class);
        JdkTypes.add(48, new ArraySerializer(String.class), Sharing.BY_IDENTITY, String[].class);
        JdkTypes.add(49, new ArraySerializer(Object.class), Sharing.BY_IDENTITY, Object[].class);

        singleton(103, Comparator.<String>naturalOrder());
        singleton(104, Comparator.<String>reverseOrder());
        singleton(105, String.CASE_INSENSITIVE_ORDER);
    }

    private static <T> void value(int number, Serializer<T> serializer, Class<? extends T> type) {
        JdkTypes.add(number, ValueSerializer.of(serializer, type), Sharing.NEVER, type);
    }

    private static <T> void mutable(int number, Serializer<T> serializer, Class<? extends T> type) {
        JdkTypes.add(number, ValueSerializer.of(serializer, type), Sharing.BY_IDENTITY, type);
    }

    private static void singleton(int number, Object instance) {
        own(number, Sharing.NEVER, instance.getClass(), (to, value) -> {}, from -> instance);
    }

    private static <T> void own(
            int number,
            Sharing sharing,
            Class<? extends T> type,
            BiConsumer<ValueOutput, T> writer,
            Function<BoundedInput, T> reader) {
        ValueSerializer<T> serializer = new ValueSerializer<>() {
            @Override
            public void write(Graph graph, ValueOutput output, T value) {
                writer.accept(output, value);
            }

            @Override
            public T read(Graph graph, BoundedInput input, int id) {
                return reader.apply(input);
            }
        };
        JdkTypes.add(number, serializer, sharing, type);
    }

    private static void writeBooleans(ValueOutput to, boolean[] array) {
        to.writeVarInt(array.length, true);
        to.writeBooleans(array, 0, array.length);
    }

    private static void writeLocale(ValueOutput to, Locale value) {
        String tag = value.toLanguageTag();
        if (!Locale.forLanguageTag(tag).equals(value)) {
            throw new CodecException("Codec kryo: a java.util.Locale that is not well-formed has no encoded form");
        }
        to.writeString(tag);
    }

    private static Locale readLocale(BoundedInput from) {
        String tag = from.readString();
        Locale locale = Locale.forLanguageTag(tag);
        if (!locale.toLanguageTag().equals(tag)) {
            throw new KryoException("A language tag is malformed");
        }
        return locale;
    }

    private static void writeZoned(ValueOutput to, ZonedDateTime value) {
        to.writeVarLong(value.toEpochSecond(), false);
        to.writeVarInt(value.getNano(), true);
        to.writeVarInt(value.getOffset().getTotalSeconds(), false);
        to.writeString(value.getZone().getId());
    }

    /** Includes the offset: an hour occurs twice when clocks are turned back, and the rules of a zone change. */
    private static ZonedDateTime readZoned(BoundedInput from) {
        long second = from.readVarLong(false);
        int nano = from.readVarInt(true);
        ZoneOffset offset = ZoneOffset.ofTotalSeconds(from.readVarInt(false));
        LocalDateTime local = LocalDateTime.ofEpochSecond(second, nano, offset);
        return ZonedDateTime.ofLocal(local, ZoneId.of(from.readString()), offset);
    }

    /**
     * Serializes classes by the name of their array class, which primitive types have as well, without initializing them.
     */
    private static final class ClassSerializer implements ValueSerializer<Class<?>> {
        @Override
        public void write(Graph graph, ValueOutput output, Class<?> value) {
            if (value.isHidden() || value == void.class) {
                throw ClassRefusal.of(Types.CODEC, value, "has no name to be found by");
            }
            graph.types().requireNameable(value.arrayType());
            output.writeString(value.arrayType().getName());
        }

        @Override
        public Class<?> read(Graph graph, BoundedInput input, int id) {
            Class<?> named = graph.types().load(input.readName()).getComponentType();
            if (named == null) {
                throw new KryoException("A class is not named by its array");
            }
            return named;
        }
    }
}
