// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.io.Input;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class BoundedInputTest {
    private final BoundedInput input = new BoundedInput();

    /** A class of the application may catch the first exception, and read on. */
    @Test
    void inputAtItsEnd_staysThere() {
        input.take(new byte[] {1, 2, 3, 4, 5}, 2, 1);
        assertThat(input.readByte()).isEqualTo((byte) 3);

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(input::readByte).isInstanceOf(KryoException.class);
            assertThatThrownBy(input::readLong).isInstanceOf(KryoException.class);
            assertThat(input.atEnd()).isTrue();
        }
    }

    @Test
    void lengthsOfTheNextValue_areBoundedByItsOwnBytes() {
        input.take(new byte[] {2, 0, 0, 2, 0, 0}, 0, 3);
        assertThat(input.readBytes(input.readByte())).hasSize(2);

        input.take(new byte[] {2, 0, 0, 2, 0, 0}, 3, 2);
        assertThatThrownBy(() -> input.readBytes(input.readByte()))
                .hasMessage("A length is larger than the bytes allow");
    }

    @Test
    void releasedInput_hasNoBytes() {
        input.take(new byte[] {1, 2}, 0, 2);
        input.release();

        assertThat(input.atEnd()).isTrue();
        assertThat(input.peek()).isEqualTo(-1);
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
}
