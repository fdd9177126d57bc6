// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** Makes Jackson 3 refuse to write a {@link Class} that would not be read. The form is Jackson's. */
final class Jackson3Classes {
    private Jackson3Classes() {}

    static SimpleModule module(JsonTypeNames named) {
        return new SimpleModule("keyslot-classes")
                .addSerializer(Class.class, new AsValue(named))
                .addKeySerializer(Class.class, new AsKey(named));
    }

    private static final class AsValue extends StdScalarSerializer<Object> {
        private final JsonTypeNames named;

        AsValue(JsonTypeNames named) {
            super(Object.class);
            this.named = named;
        }

        @Override
        public void serialize(Object value, JsonGenerator json, SerializationContext context) {
            json.writeString(named.written((Class<?>) value));
        }
    }

    private static final class AsKey extends StdScalarSerializer<Object> {
        private final JsonTypeNames named;

        AsKey(JsonTypeNames named) {
            super(Object.class);
            this.named = named;
        }

        @Override
        public void serialize(Object key, JsonGenerator json, SerializationContext context) {
            json.writeName(named.written((Class<?>) key));
        }
    }
}
