// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.keyslot.cache.failure.CodecException;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KryoCodecHostileBytesTest {
    /** What an attempt may allocate: a new graph with its tables and an exception, and some bytes for each byte. */
    private static final long FIXED_BYTES = 200_000;

    private static final long BYTES_PER_BYTE = 200;

    private final KryoCodec codec = KryoCodec.create(
            AllowedClasses.of(List.of("io.keyslot.client.codec.*")), getClass().getClassLoader());

    @Nested
    class ForgedLengths {
        /** Type numbers of everything with a length. */
        @ParameterizedTest
        @ValueSource(
                ints = {
                    8, 9, 10, 12, 13, 14, 31, 35, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 55, 56, 57, 59,
                    60, 64, 66, 67, 71
                })
        void hugeLengthInSevenBytes_isRefusedBeforeItIsAllocated(int typeNumber) {
            byte tag = (byte) (typeNumber + 2);
            boolean referable = JdkTypes.numbered(typeNumber).isReferable();
            byte[] huge = referable ? bytes(tag, 1, -1, -1, -1, -1, 7) : bytes(tag, -1, -1, -1, -1, 7, 0);
            byte[] negative = referable ? bytes(tag, 1, -1, -1, -1, -1, 15) : bytes(tag, -1, -1, -1, -1, 15, 0);

            assertRefusedCheaply(huge, "huge");
            assertRefusedCheaply(negative, "negative");
        }

        @ParameterizedTest
        @ValueSource(strings = {"[[I", "[[[J", "[Ljava.lang.Long;", "[[Ljava.lang.String;"})
        void hugeLengthOfANamedArray_isRefusedBeforeItIsAllocated(String name) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.write(Graph.FORMAT);
            bytes.write(1);
            bytes.write(name.length());
            bytes.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
            // An array, without parts.
            bytes.writeBytes(new byte[] {1, 0});
            bytes.writeBytes(new byte[] {1, -1, -1, -1, -1, 7});

            assertRefusedCheaply(bytes.toByteArray(), name);
        }

        /** Each list announces as many elements as bytes are left: together they announce far more than there are. */
        @Test
        void lengthsThatAreSmallOneByOne_mayNotExceedTheBytesTogether() {
            byte[] bytes = new byte[4_000_000];
            int position = 0;
            bytes[position++] = Graph.FORMAT;
            for (int i = 0; i < 60; i++) {
                bytes[position++] = 2 + 49;
                bytes[position++] = 1;
                // 3,900,000 as a varint
                bytes[position++] = (byte) 0xE0;
                bytes[position++] = (byte) 0x84;
                bytes[position++] = (byte) 0xEE;
                bytes[position++] = 0x01;
            }

            long allocated = allocatedBy(() -> decodeOrFailure(bytes));

            assertThat(allocated).isLessThan(12L * bytes.length);
            assertThat(decodeOrFailure(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasRootCauseMessage("A length is larger than the bytes allow");
        }
    }

    @Nested
    class ForgedGraphs {
        @Test
        void bytesAfterTheValue_areRefused() {
            assertThat(decodeOrFailure(hex("0602 00"))).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void nullOrNothing_isRefused() {
            assertThat(decodeOrFailure(hex("00"))).isInstanceOf(IllegalArgumentException.class);
            assertThat(decodeOrFailure(hex(""))).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void nestingDeeperThanAllowed_isRefused() {
            byte[] bytes = hex("3401 01".repeat(100) + "00");

            assertThat(decodeOrFailure(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasRootCauseMessage("The value is nested too deeply");
        }

        @Test
        void hashSetThatContainsItself_isRefused() {
            assertThat(decodeOrFailure(hex("3d01 01 3401 01 3d02")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasRootCauseMessage("A reference to a container within a key of a hash table");
        }

        /** A set of lists that contain the next list twice: its hash code has 2^50 steps. */
        @Test
        void keyWhoseHashCodeTakesYears_isRefused() {
            String open = "3401 02 ".repeat(50);
            StringBuilder close = new StringBuilder("3401 00 ");
            for (int i = 50; i > 0; i--) {
                close.append("34").append(HexFormat.of().toHexDigits((byte) (i + 1 + 2)));
            }

            assertThat(decodeOrFailure(hex("3d01 01 " + open + close)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasRootCauseMessage("A reference to a container within a key of a hash table");
        }

        @Test
        void objectInAFieldOfAnotherType_isRefused() {
            byte[] bytes = codec.encode(new Box(List.of("x")));
            int list = indexOf(bytes, (byte) 0x34);
            byte[] forged = Arrays.copyOf(bytes, list + 2);
            forged[list] = 0x06;
            forged[list + 1] = 0x02;

            assertThat(decodeOrFailure(forged))
                    .isInstanceOf(IllegalArgumentException.class)
                    .rootCause()
                    .hasMessageContaining("java.lang.Integer");
        }

        @Test
        void referenceToAnObjectThatIsNotThere_isRefused() {
            assertThat(decodeOrFailure(hex("3405"))).isInstanceOf(IllegalArgumentException.class);
            assertThat(decodeOrFailure(hex("34FFFFFFFF0F"))).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void classThatIsNotAllowed_isNeitherLoadedNorInitialized() {
            byte[] bytes = named("java.net.URL");

            assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(bytes)))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("codec.allow: [ \"java.net.URL\" ]");
        }

        @Test
        void classThatDoesNotExist_isNotAValue() {
            assertThat(decodeOrFailure(named("com.acme.Missing")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("Missing");
        }

        @Test
        void textThatIsNoClassName_doesNotReachTheMessage() {
            assertThat(decodeOrFailure(named("x\nERROR forged log line")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("forged");
        }

        @Test
        void classWhoseInitializerFails_isAnException() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes(Arrays.copyOf(
                    named(Broken.class.getName()), 3 + Broken.class.getName().length()));
            // An object, without fields.
            bytes.writeBytes(new byte[] {2, 0});
            bytes.write(1);

            assertThat(decodeOrFailure(bytes.toByteArray()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasCauseInstanceOf(LinkageError.class);
        }

        static byte[] named(String name) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.write(Graph.FORMAT);
            bytes.write(1);
            bytes.write(name.length());
            bytes.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
            bytes.writeBytes(new byte[6]);
            return bytes.toByteArray();
        }
    }

    @Nested
    class ForgedShapes {
        private static final FieldKind OBJECT = FieldKind.OBJECT;

        /** Fields that the class does not have, each with an object of a class that does not exist. */
        @Test
        void moreUnknownClassesThanAValueMayHave_areRefusedAtLittleCost() {
            ValueOutput output = withFields(200);
            for (int i = 0; i < 200; i++) {
                output.writeByte(1);
                output.writeString("com.acme.Missing" + i);
                output.writeBytes(new byte[] {2, 0, 1});
            }

            assertThat(decodeOrFailure(output.toBytes()))
                    .hasRootCauseMessage("A value has too many classes that are not known here");
            assertCheap(output.toBytes(), "unknown classes");
        }

        @Test
        void hugeShape_isRefusedBeforeItIsAllocated() {
            ValueOutput output = withFields(0);
            byte[] bytes = output.toBytes();
            bytes[bytes.length - 2] = -1;

            assertRefusedCheaply(Arrays.copyOf(bytes, bytes.length + 3), "shape");
        }

        @Test
        void unknownClass_isNeitherLoadedNorSeen() {
            ValueOutput output = withFields(1);
            output.writeByte(1);
            output.writeString("java.lang.ProcessBuilder");
            output.writeBytes(new byte[] {2, 0, 1});

            assertThat(codec.decode(ByteBuffer.wrap(output.toBytes())))
                    .isInstanceOf(Box.class)
                    .hasAllNullFieldsOrProperties();
        }

        /** Returns the beginning of a box that has so many fields that no box has. */
        private static ValueOutput withFields(int count) {
            ValueOutput output = new ValueOutput(100);
            output.writeBytes(new byte[] {Graph.FORMAT, 1});
            output.writeString(Box.class.getName());
            output.writeByte(2);
            output.writeVarInt(count, true);
            for (int i = 0; i < count; i++) {
                output.writeInt(Shape.id("field" + i, OBJECT));
            }
            output.writeByte(1);
            return output;
        }
    }

    @Nested
    class ForgedNames {
        @Test
        void classThatMayNotBeNamed_isNotLoaded() {
            for (String name :
                    List.of("java.lang.ProcessBuilder", "java.net.URL", "javax.script.ScriptEngineManager")) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                bytes.write(Graph.FORMAT);
                bytes.write(2 + 110);
                bytes.write(name.length());
                bytes.writeBytes(name.getBytes(StandardCharsets.US_ASCII));

                assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(bytes.toByteArray())))
                        .isInstanceOf(CodecException.class)
                        .hasMessageContaining(name + " is not allowed");
            }
        }

        @Test
        void classThatIsNamed_isNotInitialized() {
            Object read = codec.decode(ByteBuffer.wrap(codec.encode(NotYet.class)));

            assertThat(read).isSameAs(NotYet.class);
            assertThat(INITIALIZED).isEmpty();
        }
    }

    @Nested
    class Fuzz {
        private static final long SEED = 20260301;

        @Test
        void randomBytes_giveAValueOrAnExceptionAtLittleCost() {
            Random random = new Random(SEED);
            for (int i = 0; i < 20_000; i++) {
                byte[] bytes = new byte[2 + random.nextInt(64)];
                random.nextBytes(bytes);
                bytes[0] = Graph.FORMAT;
                bytes[1] &= 0x7F;

                assertCheap(bytes, "seed %d, random input %d".formatted(SEED, i));
            }
        }

        @Test
        void mutatedValues_giveAValueOrAnExceptionAtLittleCost() {
            Random random = new Random(SEED);
            List<byte[]> corpus = corpus();
            for (int i = 0; i < 20_000; i++) {
                byte[] bytes = mutate(corpus.get(random.nextInt(corpus.size())), random);

                assertCheap(bytes, "seed %d, mutated input %d".formatted(SEED, i));
            }
        }

        private List<byte[]> corpus() {
            List<byte[]> corpus = new ArrayList<>();
            Samples.all().forEach(sample -> corpus.add(codec.encode(sample)));
            corpus.add(codec.encode(new Box(new ArrayList<>(List.of(new Box(List.of()), Map.of("k", new long[3]))))));
            corpus.add(codec.encode(List.of(Long.class, int[].class, Box.class, new Number[] {1, null})));
            corpus.add(codec.encode(
                    new HashMap<>(Map.of(List.of(1), BitSet.valueOf(new long[] {7}), "x", BigInteger.TEN))));
            return corpus;
        }

        private static byte[] mutate(byte[] original, Random random) {
            byte[] bytes = Arrays.copyOf(original, Math.max(1, original.length - random.nextInt(3)));
            int changes = 1 + random.nextInt(3);
            for (int i = 0; i < changes; i++) {
                bytes[random.nextInt(bytes.length)] = (byte) (random.nextBoolean() ? -1 : random.nextInt());
            }
            return bytes;
        }
    }

    private void assertRefusedCheaply(byte[] bytes, String what) {
        assertThat(decodeOrFailure(bytes)).as(what).hasRootCauseMessage("A length is larger than the bytes allow");
        assertCheap(bytes, what);
    }

    /** Of two attempts the cheaper one counts: the first of all has classes loaded. */
    private void assertCheap(byte[] bytes, String what) {
        long allocated = allocatedBy(() -> decodeOrFailure(bytes));
        if (allocated >= FIXED_BYTES + BYTES_PER_BYTE * bytes.length) {
            allocated = allocatedBy(() -> decodeOrFailure(bytes));
        }

        assertThat(allocated)
                .as("%s: %s", what, HexFormat.of().formatHex(bytes, 0, Math.min(100, bytes.length)))
                .isLessThan(FIXED_BYTES + BYTES_PER_BYTE * bytes.length);
    }

    /** Returns the exception, or null. An Error ends the test. */
    private @Nullable RuntimeException decodeOrFailure(byte[] bytes) {
        try {
            codec.decode(ByteBuffer.wrap(bytes));
            return null;
        } catch (CodecException | IllegalArgumentException e) {
            return e;
        }
    }

    private static long allocatedBy(Runnable action) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);
        action.run();
        return threads.getThreadAllocatedBytes(thread) - before;
    }

    private static byte[] hex(String text) {
        return bytes(HexFormat.of().parseHex(text.replace(" ", "")));
    }

    /** Returns a value with this content. */
    private static byte[] bytes(int... content) {
        byte[] bytes = new byte[content.length];
        for (int i = 0; i < content.length; i++) {
            bytes[i] = (byte) content[i];
        }
        return bytes(bytes);
    }

    private static byte[] bytes(byte[] content) {
        return ByteBuffer.allocate(1 + content.length)
                .put(Graph.FORMAT)
                .put(content)
                .array();
    }

    private static int indexOf(byte[] bytes, byte wanted) {
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        throw new AssertionError("not found");
    }

    static final class Box {
        final List<?> content;

        Box(List<?> content) {
            this.content = content;
        }
    }

    private static final List<String> INITIALIZED = new ArrayList<>();

    static final class NotYet {
        static {
            INITIALIZED.add("NotYet");
        }
    }

    static final class Broken {
        static final int NUMBER = Integer.parseInt("not a number");
    }
}
