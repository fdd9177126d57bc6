// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.kryo5.io.Input;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class BoundedInputTest {
    private final BoundedInput input = new BoundedInput();

    @Test
    void lengthsOfTheNextValue_areBoundedByItsOwnBytes() {
        input.take(new byte[] {2, 0, 0, 2, 0, 0}, 0, 3);
        assertThat(input.readBytes(input.readByte())).hasSize(2);

        input.take(new byte[] {2, 0, 0, 2, 0, 0}, 3, 2);
        assertThatThrownBy(() -> input.readBytes(input.readByte()))
                .hasMessage("A length is larger than the bytes allow");
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
