// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CodecException;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Hashtable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Stack;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings({"JdkObsolete", "JavaUtilDate"}) // Obsolete classes are values, too.
class KryoCodecJdkTypesTest {
    private static final Set<Class<?>> OBSOLETE =
            Set.of(Vector.class, Stack.class, Hashtable.class, Properties.class, CopyOnWriteArraySet.class);

    private final KryoCodec codec =
            KryoCodec.create(AllowedClasses.of(List.of()), getClass().getClassLoader());

    static Stream<Object> samples() {
        // Wrapped, as JUnit takes an array of objects for a list of arguments.
        return Stream.concat(Samples.all(), Samples.views()).map(sample -> new Object[] {sample});
    }

    static Stream<Collection<Object>> queues() {
        return Samples.queues();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void valueOfTheJdk_comesBackEqual_andOfTheSamePublicClass(Object sample) {
        Object copy = copyOf(sample);

        assertThat(Arrays.deepEquals(new Object[] {copy}, new Object[] {sample}))
                .as("%s and %s", sample, copy)
                .isTrue();
        if (Modifier.isPublic(sample.getClass().getModifiers()) && !OBSOLETE.contains(sample.getClass())) {
            assertThat(copy).hasSameClassAs(sample);
        }
    }

    @Test
    void valueThatOnlyJavaSerializationStores_isRefused() {
        Samples.ofJavaSerialization()
                .forEach(value -> assertThatThrownBy(() -> codec.encode(value))
                        .isInstanceOf(CodecException.class)
                        .hasMessageContaining("codec: jdk"));
    }

    @Test
    void fieldOfAnObsoleteClass_isRefused_asItCouldNotTakeWhatIsStored() {
        KryoCodec lenient =
                KryoCodec.create(AllowedClasses.everything(), getClass().getClassLoader());

        assertThatThrownBy(() -> lenient.encode(new Holder(new Vector<>())))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("declare it as List");
    }

    private record Holder(Vector<String> texts) {}

    @ParameterizedTest
    @MethodSource("queues")
    void queue_comesBackWithTheSameElements(Collection<Object> queue) {
        Collection<Object> copy = copyOf(queue);

        if (Modifier.isPublic(queue.getClass().getModifiers())) {
            assertThat((Object) copy).hasSameClassAs(queue);
        }
        assertThat(new ArrayList<>(copy)).isEqualTo(new ArrayList<>(queue));
    }

    @Test
    void setOf_isWrittenInTheOrderOfItsElements() {
        byte[] inOrder = codec.encode(List.of("a", "b", "c", "d", "e"));
        byte[] set = codec.encode(java.util.Set.of("e", "d", "c", "b", "a"));

        assertThat(Arrays.copyOfRange(set, 2, set.length)).isEqualTo(Arrays.copyOfRange(inOrder, 2, inOrder.length));
    }

    @Test
    void collectionThatContainsItself_comesBackAsSuch() {
        List<Object> list = new ArrayList<>();
        list.add(list);
        list.add(Map.of("k", 1));

        List<Object> copy = copyOf(list);

        assertThat(copy.get(0)).isSameAs(copy);
    }

    @Test
    void keySharedByTwoSets_comesBackEqual() {
        List<String> key = new ArrayList<>(List.of("x"));
        List<Object> value = new ArrayList<>();
        value.add(new LinkedHashSet<>(List.of(key)));
        value.add(new LinkedHashSet<>(List.of(key)));

        assertThat(copyOf(value)).isEqualTo(value);
    }

    @SuppressWarnings("unchecked")
    private <T> T copyOf(T value) {
        return (T) codec.decode(ByteBuffer.wrap(codec.encode(value)).asReadOnlyBuffer());
    }
}
