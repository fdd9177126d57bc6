// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.keyslot.cache.failure.CodecException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.ObjectStreamField;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What reading forged bytes allocates is proportional to their number, whatever they say. */
@SuppressWarnings({"JdkObsolete", "UnusedVariable"}) // what is stored may be of old classes; serialization reads fields
class JdkCodecMemoryTest {
    /** Nearly all of it is what is really there: an empty map of 30 bytes has 48 in memory, and its reader makes garbage. */
    private static final long FACTOR = 150;

    /** The stream's own buffers and tables, and what is free of charge whatever the length. */
    private static final long CONSTANT = 16L << 20;

    private static final long SEED = 20261122;
    private static final int MUTATIONS = 3_000;
    private static final int[] PROMISES = {
        0, 1, 1 << 8, 1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28, 1 << 30, Integer.MAX_VALUE - 8, Integer.MAX_VALUE, -1
    };

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Map<Class<?>, Class<?>> DISGUISES = Map.of(
            ForgedMap.class, HashMap.class,
            ForgedSet.class, HashSet.class,
            ForgedDeque.class, ArrayDeque.class,
            ForgedNumber.class, BigInteger.class,
            ForgedUri.class, URI.class,
            ForgedThrowable.class, Throwable.class,
            ForgedException.class, Exception.class,
            ForgedCopies.class, Collections.nCopies(1, 1).getClass());

    private final JdkCodec codec = JdkCodec.create(
            AllowedClasses.of(List.of(
                    "io.keyslot.client.codec.*",
                    "java.lang.Throwable",
                    "java.lang.Exception",
                    "java.lang.StackTraceElement",
                    "java.util.Collections$EmptyList")),
            JdkCodecMemoryTest.class.getClassLoader());

    /** Collections that promise a million elements each, within each other and side by side. */
    static Stream<Serializable> promises() {
        return Stream.of(
                nested(150, new ForgedMap(1 << 20, null, null)),
                nested(150, new ForgedSet(1 << 20, 0.75f, null)),
                nested(150, new ForgedSet(1 << 17, 1e-30f, null)),
                nested(150, new ForgedDeque(1 << 20, null)),
                list(90, () -> new ForgedMap(1 << 20, null, null)),
                list(90, () -> new ForgedSet(200, 1e-38f, null)),
                list(90, () -> new ForgedDeque(1 << 20, null)),
                list(2_000, () -> new ForgedMap(3_000, null, null)));
    }

    @ParameterizedTest
    @MethodSource("promises")
    void sizesThatAreNotTrue_areNotPaidFor(Serializable forged) throws IOException {
        assertMemoryIsBounded(bytesOf(forged), "forged sizes");
    }

    @Test
    void oneLargeObjectThatThousandsCopy_isNotCopiedByAll() throws IOException {
        byte[] large = new byte[400_000];
        new Random(SEED).nextBytes(large);
        large[0] = 1;
        String text = "x".repeat(400_000);
        Exception cause = new Exception("cause");
        Serializable suppressed = new ArrayList<>(Collections.nCopies(50_000, cause));

        assertMemoryIsBounded(bytesOf(list(20_000, () -> new ForgedNumber(large))), "numbers");
        assertMemoryIsBounded(bytesOf(list(20_000, () -> new ForgedUri(text))), "addresses");
        assertMemoryIsBounded(bytesOf(list(20_000, () -> new ForgedException(suppressed))), "suppressed exceptions");
        assertMemoryIsBounded(
                bytesOf(new ForgedException(new ForgedCopies(Integer.MAX_VALUE, cause))), "an endless list");
        assertMemoryIsBounded(bytesOf(new ForgedCopies(Integer.MAX_VALUE, cause)), "an endless list alone");
    }

    @Test
    void mutatedValues_areReadInProportionateMemory() throws IOException {
        Random random = new Random(SEED);
        for (int round = 0; round < MUTATIONS; round++) {
            ByteBuffer bytes = ByteBuffer.wrap(bytesOf((Serializable) graph(random, 5)));
            for (int change = random.nextInt(8); change >= 0 && bytes.capacity() > 8; change--) {
                int at = 4 + random.nextInt(bytes.capacity() - 8);
                if (random.nextBoolean()) {
                    bytes.putInt(at, PROMISES[random.nextInt(PROMISES.length)]);
                } else {
                    bytes.put(at, (byte) random.nextInt());
                }
            }
            assertMemoryIsBounded(bytes.array(), "seed %d, round %d".formatted(SEED, round));
        }
    }

    @Test
    void graphsAsTheyAreWritten_comeBack() throws IOException {
        Random random = new Random(SEED);
        for (int round = 0; round < 500; round++) {
            Object graph = graph(random, 5);

            assertThat(codec.decode(ByteBuffer.wrap(codec.encode(graph))))
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(graph);
        }
    }

    @Test
    void largeTablesOfSmallElements_comeBack() {
        Map<Integer, Object> sparse = new HashMap<>(16, 0.01f);
        Map<Integer, Object> linked = new LinkedHashMap<>();
        for (int i = 0; i < 33_000; i++) {
            sparse.put(i, "");
            linked.put(i, "");
        }
        List<Object> many = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            many.add(new HashMap<>(Map.of("", "")));
            many.add(new HashSet<>(List.of("")));
        }

        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(sparse)))).isEqualTo(sparse);
        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(linked)))).isEqualTo(linked);
        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(many)))).isEqualTo(many);
        List<String> repeated = Collections.nCopies(100_000, "");
        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(repeated)))).isEqualTo(repeated);
    }

    private void assertMemoryIsBounded(byte[] bytes, String what) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            codec.decode(ByteBuffer.wrap(bytes));
        } catch (CodecException | IllegalArgumentException expected) {
            // No value is a good answer, too.
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated)
                .as("%s: allocated for %d bytes", what, bytes.length)
                .isLessThan(CONSTANT + FACTOR * bytes.length);
    }

    private static byte[] bytesOf(Serializable value) throws IOException {
        return ForgingOutput.bytesOf(value, DISGUISES);
    }

    private static Serializable nested(int depth, Forged outermost) {
        Forged inner = outermost;
        for (int level = 1; level < depth; level++) {
            inner = inner.around(inner);
        }
        return inner;
    }

    private static Serializable list(int count, Supplier<Object> elements) {
        return new ArrayList<>(Stream.generate(elements).limit(count).toList());
    }

    private static Object graph(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 4 : 16);
        return switch (kind) {
            case 0 -> random.nextInt();
            case 1 -> "text" + random.nextInt(100);
            case 2 -> new BigInteger(random.nextInt(100), random);
            case 3 -> Locale.GERMANY;
            case 4 -> filled(new HashSet<>(), random, depth);
            case 5 -> filled(new LinkedHashSet<>(), random, depth);
            case 6 -> filled(new ArrayList<>(), random, depth);
            case 7 -> filled(new LinkedList<>(), random, depth);
            case 8 -> filled(new Vector<>(), random, depth);
            case 9 -> filled(new CopyOnWriteArrayList<>(), random, depth);
            case 10 -> map(new HashMap<>(), random, depth);
            case 11 -> map(new LinkedHashMap<>(), random, depth);
            case 12 -> map(new ConcurrentHashMap<>(), random, depth);
            case 13 -> map(new TreeMap<>(), random, depth);
            case 14 -> new TreeSet<>(List.of(random.nextInt(), random.nextInt()));
            default -> List.of(graph(random, depth - 1), URI.create("http://host/" + random.nextInt()));
        };
    }

    private static Object filled(Collection<Object> target, Random random, int depth) {
        for (int i = random.nextInt(4); i > 0; i--) {
            target.add(graph(random, depth - 1));
        }
        return target;
    }

    private static Object map(Map<Object, Object> target, Random random, int depth) {
        for (int i = random.nextInt(4); i > 0; i--) {
            target.put(random.nextInt(), graph(random, depth - 1));
        }
        return target;
    }

    /** Says of itself what is not true. */
    private interface Forged extends Serializable {
        Forged around(Forged inner);
    }

    private static final class ForgedMap implements Forged {
        private static final long serialVersionUID = 1L;
        private final float loadFactor = 0.75f;
        private final int threshold;
        private final transient @Nullable Object key;
        private final transient @Nullable Object value;

        ForgedMap(int size, @Nullable Object key, @Nullable Object value) {
            this.threshold = size;
            this.key = key;
            this.value = value;
        }

        @Override
        public Forged around(Forged inner) {
            return new ForgedMap(threshold, null, inner);
        }

        private void writeObject(ObjectOutputStream target) throws IOException {
            target.defaultWriteObject();
            target.writeInt(threshold);
            target.writeInt(threshold);
            target.writeObject(key);
            target.writeObject(value);
        }
    }

    private static final class ForgedSet implements Forged {
        private static final long serialVersionUID = 1L;
        private final transient int size;
        private final transient float loadFactor;
        private final transient @Nullable Object element;

        ForgedSet(int size, float loadFactor, @Nullable Object element) {
            this.size = size;
            this.loadFactor = loadFactor;
            this.element = element;
        }

        @Override
        public Forged around(Forged inner) {
            return new ForgedSet(size, loadFactor, inner);
        }

        private void writeObject(ObjectOutputStream target) throws IOException {
            target.defaultWriteObject();
            target.writeInt(size);
            target.writeFloat(loadFactor);
            target.writeInt(size);
            target.writeObject(element);
            for (int i = 1; i < Math.min(size, 200); i++) {
                target.writeObject(i);
            }
        }
    }

    private static final class ForgedDeque implements Forged {
        private static final long serialVersionUID = 1L;
        private final transient int size;
        private final transient @Nullable Object element;

        ForgedDeque(int size, @Nullable Object element) {
            this.size = size;
            this.element = element;
        }

        @Override
        public Forged around(Forged inner) {
            return new ForgedDeque(size, inner);
        }

        private void writeObject(ObjectOutputStream target) throws IOException {
            target.defaultWriteObject();
            target.writeInt(size);
            target.writeObject(element);
        }
    }

    private static final class ForgedNumber extends Number {
        private static final long serialVersionUID = 1L;
        private final int bitCount = -1;
        private final int bitLength = -1;
        private final int firstNonzeroByteNum = -2;
        private final int lowestSetBit = -2;
        private final int signum = 1;
        private final byte[] magnitude;

        ForgedNumber(byte[] magnitude) {
            this.magnitude = magnitude;
        }

        @Override
        public int intValue() {
            return bitCount + bitLength + firstNonzeroByteNum + lowestSetBit + signum;
        }

        @Override
        public long longValue() {
            return intValue();
        }

        @Override
        public float floatValue() {
            return intValue();
        }

        @Override
        public double doubleValue() {
            return magnitude.length;
        }
    }

    private static final class ForgedUri implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String string;

        ForgedUri(String string) {
            this.string = string;
        }

        @Override
        public String toString() {
            return string;
        }
    }

    private static final class ForgedCopies implements Serializable {
        private static final long serialVersionUID = 1L;
        private final int n;
        private final Object element;

        ForgedCopies(int n, Object element) {
            this.n = n;
            this.element = element;
        }
    }

    private static class ForgedThrowable implements Serializable {
        private static final long serialVersionUID = 1L;
        private final @Nullable Throwable cause = null;
        private final Object suppressedExceptions;

        ForgedThrowable(Object suppressed) {
            suppressedExceptions = suppressed;
        }
    }

    private static final class ForgedException extends ForgedThrowable {
        private static final long serialVersionUID = 1L;

        ForgedException(Object suppressed) {
            super(suppressed);
        }
    }

    /**
     * Writes objects of classes of ours as if they were of classes of the JDK: with the fields that they have, and with what
     * they write by themselves. So a test can say of a collection what no collection would say.
     */
    private static final class ForgingOutput extends ObjectOutputStream {
        private final Map<Class<?>, Class<?>> disguises;

        private ForgingOutput(OutputStream target, Map<Class<?>, Class<?>> disguises) throws IOException {
            super(target);
            this.disguises = disguises;
        }

        static byte[] bytesOf(Serializable value, Map<Class<?>, Class<?>> disguises) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ForgingOutput output = new ForgingOutput(bytes, disguises)) {
                output.writeObject(value);
            }
            return bytes.toByteArray();
        }

        @Override
        protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
            @Nullable Class<?> disguise = disguises.get(description.forClass());
            if (disguise == null) {
                super.writeClassDescriptor(description);
                return;
            }
            writeUTF(disguise.getName());
            writeLong(ObjectStreamClass.lookup(disguise).getSerialVersionUID());
            writeByte(ObjectStreamConstants.SC_SERIALIZABLE
                    | (writesItself(description) ? ObjectStreamConstants.SC_WRITE_METHOD : 0));
            writeShort(description.getFields().length);
            for (ObjectStreamField field : description.getFields()) {
                writeByte(field.getTypeCode());
                writeUTF(field.getName());
                if (!field.isPrimitive()) {
                    writeObject(field.getTypeString());
                }
            }
        }

        private static boolean writesItself(ObjectStreamClass description) {
            return Arrays.stream(description.forClass().getDeclaredMethods())
                    .anyMatch(method -> method.getName().equals("writeObject"));
        }
    }
}
