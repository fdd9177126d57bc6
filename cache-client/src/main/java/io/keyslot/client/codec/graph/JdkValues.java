// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.graph.GraphType.Sharing;
import io.keyslot.client.codec.graph.JdkTypes.Table;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Currency;
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
import java.util.function.Supplier;

/** Numbers, text and other simple values of the JDK. */
final class JdkValues {
    private JdkValues() {}

    static void addTo(Table table) {
        addNumbers(table);
        addTexts(table);
        addOptionals(table);
        addMutable(table);
        addSingletons(table);
    }

    private static void addNumbers(Table table) {
        value(table, 0, Boolean.class, ValueOutput::writeBoolean, BoundedInput::readBoolean);
        value(table, 1, Byte.class, ValueOutput::writeByte, BoundedInput::readByte);
        value(table, 2, Character.class, ValueOutput::writeChar, BoundedInput::readChar);
        value(table, 3, Short.class, (to, v) -> to.writeShort(v), BoundedInput::readShort);
        value(table, 4, Integer.class, (to, v) -> to.writeVarInt(v, false), from -> from.readVarInt(false));
        value(table, 5, Long.class, (to, v) -> to.writeVarLong(v, false), from -> from.readVarLong(false));
        value(table, 6, Float.class, ValueOutput::writeFloat, BoundedInput::readFloat);
        value(table, 7, Double.class, ValueOutput::writeDouble, BoundedInput::readDouble);
        value(table, 9, BigInteger.class, JdkValues::writeBigInteger, JdkValues::readBigInteger);
        value(table, 10, BigDecimal.class, JdkValues::writeBigDecimal, JdkValues::readBigDecimal);
    }

    private static void addTexts(Table table) {
        value(table, 8, String.class, ValueOutput::writeText, BoundedInput::readText);
        value(table, 11, UUID.class, JdkValues::writeUuid, JdkValues::readUuid);
        text(table, 12, URI.class, URI::toString, URI::create);
        text(table, 13, Currency.class, Currency::getCurrencyCode, Currency::getInstance);
        value(table, 14, Locale.class, JdkValues::writeLocale, JdkValues::readLocale);
    }

    private static void addOptionals(Table table) {
        value(
                table,
                37,
                OptionalInt.class,
                (to, v) -> {
                    to.writeBoolean(v.isPresent());
                    v.ifPresent(number -> to.writeVarInt(number, false));
                },
                from -> from.readBoolean() ? OptionalInt.of(from.readVarInt(false)) : OptionalInt.empty());
        value(
                table,
                38,
                OptionalLong.class,
                (to, v) -> {
                    to.writeBoolean(v.isPresent());
                    v.ifPresent(number -> to.writeVarLong(number, false));
                },
                from -> from.readBoolean() ? OptionalLong.of(from.readVarLong(false)) : OptionalLong.empty());
        value(
                table,
                39,
                OptionalDouble.class,
                (to, v) -> {
                    to.writeBoolean(v.isPresent());
                    v.ifPresent(to::writeDouble);
                },
                from -> from.readBoolean() ? OptionalDouble.of(from.readDouble()) : OptionalDouble.empty());
    }

    private static void addMutable(Table table) {
        mutable(table, 35, BitSet.class, JdkValues::writeBitSet, JdkValues::readBitSet);
        mutable(
                table,
                106,
                AtomicBoolean.class,
                (to, v) -> to.writeBoolean(v.get()),
                from -> new AtomicBoolean(from.readBoolean()));
        mutable(
                table,
                107,
                AtomicInteger.class,
                (to, v) -> to.writeVarInt(v.get(), false),
                from -> new AtomicInteger(from.readVarInt(false)));
        mutable(
                table,
                108,
                AtomicLong.class,
                (to, v) -> to.writeVarLong(v.get(), false),
                from -> new AtomicLong(from.readVarLong(false)));
    }

    private static void addSingletons(Table table) {
        singleton(table, 103, Comparator::naturalOrder);
        singleton(table, 104, Comparator::reverseOrder);
        singleton(table, 105, () -> String.CASE_INSENSITIVE_ORDER);
    }

    /** Adds a type of which there is only one object. */
    static void singleton(Table table, int number, Supplier<?> instance) {
        table.addValue(
                number,
                new Leaf<>((to, v) -> {}, from -> instance.get()),
                instance.get().getClass());
    }

    static <T> void value(
            Table table,
            int number,
            Class<T> type,
            BiConsumer<ValueOutput, T> writer,
            Function<BoundedInput, T> reader) {
        table.addValue(number, new Leaf<>(writer, reader), type);
    }

    /** Adds a type whose objects can change, so that two references to one stay references to one. */
    static <T> void mutable(
            Table table,
            int number,
            Class<T> type,
            BiConsumer<ValueOutput, T> writer,
            Function<BoundedInput, T> reader) {
        table.add(number, new Leaf<>(writer, reader), Sharing.BY_IDENTITY, type);
    }

    private static <T> void text(
            Table table, int number, Class<T> type, Function<T, String> toText, Function<String, T> ofText) {
        value(table, number, type, (to, v) -> to.writeText(toText.apply(v)), from -> ofText.apply(from.readText()));
    }

    private static void writeBigInteger(ValueOutput to, BigInteger value) {
        to.writeCountedBytes(value.toByteArray());
    }

    private static BigInteger readBigInteger(BoundedInput from) {
        return new BigInteger(from.readCountedBytes());
    }

    private static void writeBigDecimal(ValueOutput to, BigDecimal value) {
        writeBigInteger(to, value.unscaledValue());
        to.writeVarInt(value.scale(), false);
    }

    private static BigDecimal readBigDecimal(BoundedInput from) {
        return new BigDecimal(readBigInteger(from), from.readVarInt(false));
    }

    private static void writeUuid(ValueOutput to, UUID value) {
        // Kryo has the lowest byte first; so the bytes look like the text.
        to.writeLong(Long.reverseBytes(value.getMostSignificantBits()));
        to.writeLong(Long.reverseBytes(value.getLeastSignificantBits()));
    }

    private static UUID readUuid(BoundedInput from) {
        return new UUID(Long.reverseBytes(from.readLong()), Long.reverseBytes(from.readLong()));
    }

    private static void writeLocale(ValueOutput to, Locale value) {
        String tag = value.toLanguageTag();
        if (!Locale.forLanguageTag(tag).equals(value)) {
            throw new CodecException("Codec kryo: a java.util.Locale that is not well-formed has no encoded form");
        }
        to.writeText(tag);
    }

    private static Locale readLocale(BoundedInput from) {
        String tag = from.readText();
        Locale locale = Locale.forLanguageTag(tag);
        if (!locale.toLanguageTag().equals(tag)) {
            throw new KryoException("A language tag is malformed");
        }
        return locale;
    }

    private static void writeBitSet(ValueOutput to, BitSet value) {
        long[] words = value.toLongArray();
        to.writeVarInt(words.length, true);
        to.writeLongs(words, 0, words.length);
    }

    private static BitSet readBitSet(BoundedInput from) {
        return BitSet.valueOf(from.readLongs(from.readLength(Long.BYTES)));
    }
}
