// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;

/** Makes Jackson 2 refuse to write a {@link Class} that would not be read. The form is Jackson's. */
final class Jackson2Classes {
    private Jackson2Classes() {}

    static SimpleModule module(JsonTypeNames named) {
        return new SimpleModule("keyslot-classes")
                .addSerializer(Class.class, new AsValue(named))
                .addKeySerializer(Class.class, new AsKey(named));
    }

    private static final class AsValue extends StdScalarSerializer<Object> {
        private static final long serialVersionUID = 1L;

        private final transient JsonTypeNames named;

        AsValue(JsonTypeNames named) {
            super(Object.class);
            this.named = named;
        }

        @Override
        public void serialize(Object value, JsonGenerator json, SerializerProvider context) throws IOException {
            json.writeString(named.written((Class<?>) value));
        }
    }

    private static final class AsKey extends StdScalarSerializer<Object> {
        private static final long serialVersionUID = 1L;

        private final transient JsonTypeNames named;

        AsKey(JsonTypeNames named) {
            super(Object.class);
            this.named = named;
        }

        @Override
        public void serialize(Object key, JsonGenerator json, SerializerProvider context) throws IOException {
            json.writeFieldName(named.written((Class<?>) key));
        }
    }
}
