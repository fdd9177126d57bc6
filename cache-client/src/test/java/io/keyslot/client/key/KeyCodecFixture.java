// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.Codec;
import io.keyslot.cache.GroupKey;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.key.KeyCodec.KeySpace;
import io.keyslot.client.stored.EncodedKey;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Codecs and key classes of the tests in this package. */
final class KeyCodecFixture {
    static final String NAME = KeyCodecFixture.class.getName();

    private KeyCodecFixture() {}

    static <K> KeyCodec<K> codec(KeySpace space, Class<K> type) {
        return KeyCodec.create(
                space, type, KeyCodecFixture.class.getClassLoader(), KeyCodecFixture::isOfTests, others());
    }

    /** Encodes keys of classes of which nothing is known. */
    static Codec<Object> others() {
        return Codecs.ofKeys(
                "kryo", AllowedClasses.of(List.of("io.keyslot.client.**")), KeyCodecFixture.class.getClassLoader());
    }

    private static boolean isOfTests(String className) {
        return className.startsWith("io.keyslot.");
    }

    static <K> KeyCodec<K> codec(String entityType, Class<K> type) {
        return codec(new KeySpace("", entityType, null), type);
    }

    static <K> KeyCodec<K> grouped(String entityType, String groupedBy, Class<K> type) {
        return codec(new KeySpace("", entityType, groupedBy), type);
    }

    static <K> String text(KeyCodec<K> codec, K key) {
        return codec.encode(key).text();
    }

    static EncodedKey stored(String text) {
        return EncodedKey.of(text);
    }

    /** Asserts that the key has this text, and that the text gives an equal key. */
    static <K> void assertStored(KeyCodec<K> codec, K key, String text) {
        assertThat(text(codec, key)).isEqualTo(text);
        assertThat(codec.decode(stored(text))).isEqualTo(key);
    }

    enum Color {
        RED,
        GREEN {
            @Override
            public String toString() {
                return "a constant with a body";
            }
        }
    }

    record Point(int x, int y) implements Serializable {}

    record Name(@Nullable String name) implements Serializable {}

    record Line(Point from, Point to, @Nullable Object label, Color color) implements Serializable {}

    record Chain(int number, @Nullable Chain next) implements Serializable {}

    record Nothing() implements Serializable {}

    record Tags(List<String> tags, Set<Integer> numbers) implements Serializable {}

    record SaleKey(@GroupKey long customerId, long saleId) implements Serializable {}

    record LegKey(
            String from, @GroupKey String flight, @Nullable String to) implements Serializable {}

    record Twice(@GroupKey long one, @GroupKey long other) implements Serializable {}

    /** A member as applications wrote them before there were records. */
    static final class OldSaleKey implements Serializable {
        private static final long serialVersionUID = 1L;

        @GroupKey
        private final long customer;

        private final List<String> parts;

        OldSaleKey(long customer, List<String> parts) {
            this.customer = customer;
            this.parts = parts;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof OldSaleKey that && that.customer == customer && that.parts.equals(parts);
        }

        @Override
        public int hashCode() {
            return Objects.hash(customer, parts);
        }
    }

    record Vague(@GroupKey Object root, long id) implements Serializable {}

    /** Compares its array by reference, as records do. */
    @SuppressWarnings("ArrayRecordComponent")
    record ByReference(int[] numbers) {}

    @SuppressWarnings("ArrayRecordComponent")
    record ByContent(int[] numbers, String @Nullable [] names) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof ByContent that
                    && Arrays.equals(numbers, that.numbers)
                    && Arrays.equals(names, that.names);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(numbers);
        }
    }

    record Positive(int number) {
        Positive {
            if (number < 1) {
                throw new IllegalArgumentException("secret " + number);
            }
        }
    }

    /** A class as applications wrote them before there were records. */
    static class Address implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String street;
        private final int number;

        Address(String street, int number) {
            this.street = street;
            this.number = number;
        }

        @Override
        @SuppressWarnings("EqualsGetClass") // A foreign address is another key.
        public boolean equals(@Nullable Object other) {
            return other != null
                    && other.getClass() == getClass()
                    && ((Address) other).street.equals(street)
                    && ((Address) other).number == number;
        }

        @Override
        public int hashCode() {
            return Objects.hash(street, number);
        }
    }

    static final class ForeignAddress extends Address {
        private static final long serialVersionUID = 1L;

        private final String country;

        ForeignAddress(String street, int number, String country) {
            super(street, number);
            this.country = country;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return super.equals(other) && other instanceof ForeignAddress that && that.country.equals(country);
        }

        @Override
        public int hashCode() {
            return super.hashCode() * 31 + country.hashCode();
        }
    }

    /** Equal to itself only, and the only instance. */
    static final class WithoutEquals implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    static final class NotSerializable {}

    /** Its hash code is computed by the constructor, which rebuilding does not call. */
    static final class HashedOnce implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String text;
        private final transient int hash;

        HashedOnce(String text) {
            this.text = text;
            this.hash = text.hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof HashedOnce that && that.text.equals(text);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** Its transient field takes no part in equality. */
    static final class HashedLater implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String text;
        private transient int hash;

        HashedLater(String text) {
            this.text = text;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof HashedLater that && that.text.equals(text);
        }

        @Override
        public int hashCode() {
            if (hash == 0) {
                hash = text.hashCode();
            }
            return hash;
        }
    }
}
