// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import static io.keyslot.client.key.KeyCodecFixture.assertStored;
import static io.keyslot.client.key.KeyCodecFixture.codec;
import static io.keyslot.client.key.KeyCodecFixture.stored;
import static io.keyslot.client.key.KeyCodecFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CodecException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Keys with state that is not in their text, and that their class computes again. */
class RebuiltKeyTest {
    private static final long SEED = 20261122;

    private final KeyCodec<Object> untyped = codec("x", Object.class);

    @Test
    void transientHashCode_isComputedByReadObject() {
        KeyCodec<Query> codec = codec("x", Query.class);
        Query key = new Query("select a, b from c where d = ?", new Object[] {1L, "x"}, 10);

        assertStored(codec, key, text(codec, key));
        assertThat(codec.decode(codec.encode(key)).hashCode()).isEqualTo(key.hashCode());
    }

    @Test
    void anyQuery_comesBackFromItsText() {
        Random random = new Random(SEED);
        for (int i = 0; i < 2_000; i++) {
            Query key = random(random);

            assertThat(untyped.decode(untyped.encode(key)))
                    .as("seed %d, key %d", SEED, i)
                    .isEqualTo(key)
                    .hasSameHashCodeAs(key);
        }
    }

    @Test
    void readObjectOfASuperclass_isCalledBeforeThatOfTheClass() {
        Paged key = new Paged("select 1", 7);

        Paged rebuilt = codec("x", Paged.class).decode(codec("x", Paged.class).encode(key));

        assertThat(rebuilt).isEqualTo(key).hasSameHashCodeAs(key);
        assertThat(rebuilt.page).isEqualTo("select 1#7");
    }

    @Test
    void readFields_givesTheFieldsOfTheText() {
        Named key = new Named("a", 3, true);

        assertThat(untyped.decode(untyped.encode(key))).isEqualTo(key).hasSameHashCodeAs(key);
    }

    @Test
    void whatAClassWritesBesidesItsFields_isLeftOut_ifTheKeyIsEqualWithoutIt() {
        Lazy computed = new Lazy("a");
        assertThat(computed.hashCode()).isNotZero();

        assertStored(codec("x", Lazy.class), computed, "x:a,%null");
        assertThat(text(untyped, new Lazy("a"))).isEqualTo(text(untyped, computed));
    }

    /** As the principals of Shiro. */
    @Test
    void whatAClassWritesBesidesItsFields_isInTheText_ifTheKeyIsNotEqualWithoutIt() {
        assertStored(
                codec("x", Opaque.class),
                new Opaque(Map.of("realm", Set.of("anna", "bert"))),
                "x:List(Integer:1,Map(String:realm,Set(String:anna,String:bert)))");
        assertStored(codec("x", Opaque.class), new Opaque(Map.of()), "x:List(Integer:0,Map())");
    }

    @Test
    void forgedData_isUnreadable() {
        KeyCodec<Opaque> codec = codec("x", Opaque.class);

        for (String text : List.of("x:%null", "x:List()", "x:List(Integer:1)", "x:List(Long:1,Map())", "x:String:a")) {
            assertThatThrownBy(() -> codec.decode(stored(text))).as(text).isInstanceOf(CodecException.class);
        }
    }

    @Test
    void textThatItsClassRefuses_isUnreadable() {
        KeyCodec<Valid> codec = codec("x", Valid.class);

        assertThat(codec.decode(stored("x:7"))).isEqualTo(new Valid(7));
        assertThatThrownBy(() -> codec.decode(stored("x:-7")))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("refused its components");
    }

    private static Query random(Random random) {
        Object[] parameters = new Object[random.nextInt(4)];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = random.nextBoolean() ? random.nextLong() : Integer.toString(random.nextInt(), 36);
        }
        String sql = random.ints(random.nextInt(40), ' ', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return new Query(sql, parameters, random.nextBoolean() ? null : random.nextInt());
    }

    /** As Hibernate's keys of queries: the hash code is not serialized. */
    static class Query implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String sql;

        @SuppressWarnings("serial") // They are, if what is in them is.
        private final Object[] parameters;

        private final @Nullable Integer maxRows;
        private transient int hash;

        Query(String sql, Object[] parameters, @Nullable Integer maxRows) {
            this.sql = sql;
            this.parameters = parameters;
            this.maxRows = maxRows;
            this.hash = computedHash();
        }

        private int computedHash() {
            return Objects.hash(sql, Arrays.hashCode(parameters), maxRows);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            hash = computedHash();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Query that
                    && hash == that.hash
                    && sql.equals(that.sql)
                    && Arrays.equals(parameters, that.parameters)
                    && Objects.equals(maxRows, that.maxRows);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        String sql() {
            return sql;
        }
    }

    static final class Paged extends Query {
        private static final long serialVersionUID = 1L;

        private final int number;
        private transient String page;

        Paged(String sql, int number) {
            super(sql, new Object[0], null);
            this.number = number;
            this.page = sql + '#' + number;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            page = sql() + '#' + number;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Paged that && super.equals(other) && page.equals(that.page);
        }

        @Override
        public int hashCode() {
            return page.hashCode();
        }
    }

    static final class Named implements Serializable {
        private static final long serialVersionUID = 1L;

        private String name;
        private int number;
        private boolean flag;
        private transient String all;

        Named(String name, int number, boolean flag) {
            this.name = name;
            this.number = number;
            this.flag = flag;
            this.all = name + number + flag;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            ObjectInputStream.GetField fields = in.readFields();
            name = (String) Objects.requireNonNull(fields.get("name", null));
            number = fields.get("number", 0);
            flag = fields.get("flag", false);
            all = name + number + flag;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Named that && all.equals(that.all);
        }

        @Override
        public int hashCode() {
            return all.hashCode();
        }
    }

    /** Writes more than its fields, which it does not compare. */
    static final class Lazy implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String name;
        private transient int hash;

        Lazy(String name) {
            this.name = name;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(hash);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            hash = in.readInt();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Lazy that && name.equals(that.name);
        }

        @Override
        public int hashCode() {
            if (hash == 0) {
                hash = name.hashCode();
            }
            return hash;
        }
    }

    /** Keeps all that it is in what it writes besides its fields. */
    static final class Opaque implements Serializable {
        private static final long serialVersionUID = 1L;

        private transient Map<?, ?> content;

        Opaque(Map<?, ?> content) {
            this.content = content;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(content.size());
            out.writeObject(content);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            int size = in.readInt();
            content = (Map<?, ?>) in.readObject();
            if (content.size() != size) {
                throw new InvalidObjectException("size");
            }
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Opaque that && Objects.equals(content, that.content);
        }

        @Override
        public int hashCode() {
            return content.hashCode();
        }
    }

    static final class Valid implements Serializable {
        private static final long serialVersionUID = 1L;

        private final int number;
        private transient boolean checked;

        Valid(int number) {
            this.number = number;
            this.checked = true;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.registerValidation(
                    () -> {
                        if (number < 0) {
                            throw new InvalidObjectException("negative");
                        }
                    },
                    0);
            in.defaultReadObject();
            checked = true;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Valid that && number == that.number && checked == that.checked;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }
}
