// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultArraySerializers;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.kryo5.serializers.OptionalSerializers;
import com.esotericsoftware.kryo.kryo5.serializers.TimeSerializers;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.graph.GraphType.Sharing;
import io.keyslot.client.codec.graph.Types.ArraySerializer;
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
        JdkTypes.addValue(0, new DefaultSerializers.BooleanSerializer(), Boolean.class);
        JdkTypes.addValue(1, new DefaultSerializers.ByteSerializer(), Byte.class);
        JdkTypes.addValue(2, new DefaultSerializers.CharSerializer(), Character.class);
        JdkTypes.addValue(3, new DefaultSerializers.ShortSerializer(), Short.class);
        JdkTypes.addValue(4, new DefaultSerializers.IntSerializer(), Integer.class);
        JdkTypes.addValue(5, new DefaultSerializers.LongSerializer(), Long.class);
        JdkTypes.addValue(6, new DefaultSerializers.FloatSerializer(), Float.class);
        JdkTypes.addValue(7, new DefaultSerializers.DoubleSerializer(), Double.class);
        JdkTypes.addValue(9, new DefaultSerializers.BigIntegerSerializer(), BigInteger.class);
        JdkTypes.addValue(10, new DefaultSerializers.BigDecimalSerializer(), BigDecimal.class);
        JdkTypes.addValue(37, new OptionalSerializers.OptionalIntSerializer(), OptionalInt.class);
        JdkTypes.addValue(38, new OptionalSerializers.OptionalLongSerializer(), OptionalLong.class);
        JdkTypes.addValue(39, new OptionalSerializers.OptionalDoubleSerializer(), OptionalDouble.class);

        JdkTypes.addValue(8, new DefaultSerializers.StringSerializer(), String.class);
        JdkTypes.addValue(11, new DefaultSerializers.UUIDSerializer(), UUID.class);
        JdkTypes.addValue(12, new DefaultSerializers.URISerializer(), URI.class);
        JdkTypes.addValue(13, new DefaultSerializers.CurrencySerializer(), Currency.class);
        JdkTypes.addValue(14, own(JdkValues::writeLocale, JdkValues::readLocale), Locale.class);
        JdkTypes.addValue(110, new ClassSerializer(), Class.class);

        JdkTypes.addValue(21, new TimeSerializers.LocalDateSerializer(), LocalDate.class);
        JdkTypes.addValue(22, new TimeSerializers.LocalTimeSerializer(), LocalTime.class);
        JdkTypes.addValue(23, new TimeSerializers.LocalDateTimeSerializer(), LocalDateTime.class);
        JdkTypes.addValue(24, new TimeSerializers.InstantSerializer(), Instant.class);
        JdkTypes.addValue(25, new TimeSerializers.DurationSerializer(), Duration.class);
        JdkTypes.addValue(26, new TimeSerializers.PeriodSerializer(), Period.class);
        JdkTypes.addValue(27, own(JdkValues::writeZoned, JdkValues::readZoned), ZonedDateTime.class);
        JdkTypes.addValue(28, new TimeSerializers.OffsetDateTimeSerializer(), OffsetDateTime.class);
        JdkTypes.addValue(29, new TimeSerializers.OffsetTimeSerializer(), OffsetTime.class);
        JdkTypes.addValue(30, new TimeSerializers.ZoneOffsetSerializer(), ZoneOffset.class);
        // Zones with a name have a hidden class.
        JdkTypes.addValue(
                31,
                new TimeSerializers.ZoneIdSerializer(),
                ZoneId.of("Europe/Paris").getClass());
        JdkTypes.addValue(32, new TimeSerializers.YearSerializer(), Year.class);
        JdkTypes.addValue(33, new TimeSerializers.YearMonthSerializer(), YearMonth.class);
        JdkTypes.addValue(34, new TimeSerializers.MonthDaySerializer(), MonthDay.class);

        // Objects that can change, so references to them are kept.
        // A runtime image may lack the module java.sql, without which Kryo's serializer of dates cannot be loaded.
        mutable(
                15,
                JdkValues.<Date>own(
                        (to, date) -> to.writeVarLong(date.getTime(), true), from -> new Date(from.readVarLong(true))),
                Date.class);
        if (ModuleLayer.boot().findModule("java.sql").isPresent()) {
            mutable(16, new DefaultSerializers.DateSerializer(), java.sql.Date.class);
            mutable(17, new DefaultSerializers.DateSerializer(), java.sql.Time.class);
            mutable(18, new DefaultSerializers.TimestampSerializer(), java.sql.Timestamp.class);
        }
        mutable(35, new DefaultSerializers.BitSetSerializer(), BitSet.class);
        mutable(106, new DefaultSerializers.AtomicBooleanSerializer(), AtomicBoolean.class);
        mutable(107, new DefaultSerializers.AtomicIntegerSerializer(), AtomicInteger.class);
        mutable(108, new DefaultSerializers.AtomicLongSerializer(), AtomicLong.class);

        mutable(40, own(JdkValues::writeBooleans, from -> from.readBooleans(from.readVarInt(true))), boolean[].class);
        mutable(41, new DefaultArraySerializers.ByteArraySerializer(), byte[].class);
        mutable(42, new DefaultArraySerializers.CharArraySerializer(), char[].class);
        mutable(43, new DefaultArraySerializers.ShortArraySerializer(), short[].class);
        mutable(44, new DefaultArraySerializers.IntArraySerializer(), int[].class);
        mutable(45, new DefaultArraySerializers.LongArraySerializer(), long[].class);
        mutable(46, new DefaultArraySerializers.FloatArraySerializer(), float[].class);
        mutable(47, new DefaultArraySerializers.DoubleArraySerializer(), double[].class);
        mutable(48, new ArraySerializer(String.class), String[].class);
        mutable(49, new ArraySerializer(Object.class), Object[].class);

        singleton(103, Comparator.<String>naturalOrder());
        singleton(104, Comparator.<String>reverseOrder());
        singleton(105, String.CASE_INSENSITIVE_ORDER);
    }

    private static void mutable(int number, Serializer<?> serializer, Class<?> type) {
        JdkTypes.add(number, serializer, Sharing.BY_IDENTITY, type);
    }

    private static void singleton(int number, Object instance) {
        JdkTypes.addValue(number, own((to, value) -> {}, from -> instance), instance.getClass());
    }

    private static <T> Serializer<T> own(BiConsumer<ValueOutput, T> writer, Function<BoundedInput, T> reader) {
        return new ValueSerializer<>() {
            @Override
            void write(Graph graph, ValueOutput output, T value) {
                writer.accept(output, value);
            }

            @Override
            T read(Graph graph, BoundedInput input) {
                return reader.apply(input);
            }
        };
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
    static final class ClassSerializer extends ValueSerializer<Class<?>> {
        @Override
        void write(Graph graph, ValueOutput output, Class<?> value) {
            if (value.isHidden() || value == void.class) {
                throw ClassRefusal.of(Types.CODEC, value, "has no name to be found by");
            }
            graph.types().requireNameable(value.arrayType());
            output.writeString(value.arrayType().getName());
        }

        @Override
        Class<?> read(Graph graph, BoundedInput input) {
            try {
                Class<?> named = graph.types().load(input.readName()).getComponentType();
                if (named != null) {
                    return named;
                }
            } catch (ClassNotFoundException e) {
                throw new KryoException("A class is not known here", e);
            }
            throw new KryoException("A class is not named by its array");
        }
    }
}
