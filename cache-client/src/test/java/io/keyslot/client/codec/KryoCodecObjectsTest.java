// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CodecException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KryoCodecObjectsTest {
    private final KryoCodec codec = KryoCodec.create(
            AllowedClasses.of(List.of("io.keyslot.client.codec.**")), getClass().getClassLoader());

    @Nested
    class Shapes {
        @Test
        void classWithoutDefaultConstructor_keepsFinalAndInheritedFields() {
            Account copy = copyOf(new Account("a", 7));

            assertThat(copy.owner).isEqualTo("a");
            assertThat(copy.number).isEqualTo(7);
            assertThat(copy.notes).containsExactly("opened");
            assertThat(copy.scratch).isNull();
        }

        @Test
        void subclassOfAList_keepsFieldsAndElements() {
            Page<String> page = new Page<>();
            page.number = 4;
            page.add("x");

            Page<String> copy = copyOf(page);

            assertThat(copy).isEqualTo(page);
            assertThat(copy.number).isEqualTo(4);
        }
    }

    @Nested
    class References {
        @Test
        void cycle_comesBackAsACycle() {
            Node first = new Node("first");
            first.next = new Node("second");
            first.next.next = first;
            first.friends.add(first.next);

            Node copy = copyOf(first);

            assertThat(Objects.requireNonNull(copy.next).next).isSameAs(copy);
            assertThat(copy.friends).containsExactly(copy.next);
        }

        @Test
        void sharedObject_staysOneObject() {
            Node shared = new Node("shared");

            List<Node> copy = copyOf(List.of(shared, shared));

            assertThat(copy.get(0)).isSameAs(copy.get(1)).isNotSameAs(shared);
        }

        @Test
        void cycleThroughARecord_isRefusedWhenWritten() {
            List<Object> parts = new ArrayList<>();
            Holder holder = new Holder(parts);
            parts.add(holder);

            assertThatThrownBy(() -> codec.encode(holder))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("cycle through an immutable")
                    .hasMessageContaining("Holder");
        }
    }

    @Nested
    class SerialMethodsOfClasses {
        @Test
        void writeReplace_isWrittenInstead() {
            Money money = new Money(12);

            assertThat(copyOf(List.of(money, money))).extracting(Money::cents).containsExactly(12L, 12L);
        }
    }

    @Nested
    class Refused {
        @Test
        void classThatIsNotAllowed_isNamedWithTheLineToAdd() {
            KryoCodec strict =
                    KryoCodec.create(AllowedClasses.of(List.of()), getClass().getClassLoader());
            String name = Circle.class.getName();

            assertThatThrownBy(() -> strict.encode(List.of(new Circle(1))))
                    .isInstanceOf(CodecException.class)
                    .hasMessage(
                            "Codec kryo: class %s is not allowed. If it belongs to your values, add it to the configuration: codec.allow: [ \"%s\" ]",
                            name, name);
            assertThatThrownBy(() -> strict.decode(ByteBuffer.wrap(codec.encode(new Circle(1)))))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("codec.allow: [ \"%s\" ]", name);
        }

        @Test
        void valueNestedTooDeeply_isRefused() {
            Node first = new Node("0");
            Node last = first;
            for (int i = 1; i < 100; i++) {
                last.next = new Node("n");
                last = last.next;
            }

            assertRefused(first, "nested deeper than 64");
        }

        @Test
        void instanceThatFailed_isNotUsedAgain() {
            for (int i = 0; i < 10; i++) {
                assertRefused(List.of(new Circle(1), new Failure()), "is an exception", "codec: jdk");
                assertThat(copyOf(new Circle(2))).isEqualTo(new Circle(2));
            }
        }
    }

    private void assertRefused(Object value, String... words) {
        assertThatThrownBy(() -> codec.encode(value))
                .isInstanceOf(CodecException.class)
                .hasMessageStartingWith("Codec kryo: ")
                .hasMessageContainingAll(words);
    }

    @SuppressWarnings("unchecked")
    private <T> T copyOf(T value) {
        return (T) codec.decode(ByteBuffer.wrap(codec.encode(value)).asReadOnlyBuffer());
    }

    record Holder(List<Object> parts) {}

    sealed interface Shape permits Circle {}

    record Circle(double radius) implements Shape {}

    static class Base {
        protected final List<String> notes = new ArrayList<>(List.of("opened"));
    }

    static final class Account extends Base {
        private final String owner;
        private final int number;
        private transient @Nullable Object scratch = "scratch";

        Account(String owner, int number) {
            this.owner = owner;
            this.number = number;
        }
    }

    static final class Page<T> extends ArrayList<T> {
        private static final long serialVersionUID = 1L;

        int number;
    }

    static final class Node {
        final String name;
        final Set<Node> friends = new HashSet<>();

        @Nullable
        Node next;

        Node(String name) {
            this.name = name;
        }
    }

    static final class Absent implements Serializable {
        private static final long serialVersionUID = 1L;
        static final Absent INSTANCE = new Absent();

        private Object readResolve() {
            return INSTANCE;
        }
    }

    static final class Money implements Serializable {
        private static final long serialVersionUID = 1L;
        private final transient long cents;

        Money(long cents) {
            this.cents = cents;
        }

        long cents() {
            return cents;
        }

        private Object writeReplace() {
            return new Form(cents);
        }

        private record Form(long cents) implements Serializable {
            private Object readResolve() {
                return new Money(cents);
            }
        }
    }

    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
