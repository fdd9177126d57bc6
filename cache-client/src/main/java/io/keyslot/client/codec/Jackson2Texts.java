// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;

/** Registers each {@link LocalText} with Jackson 2, as a value and as a key of a map. */
final class Jackson2Texts {
    private Jackson2Texts() {}

    static SimpleModule module() {
        SimpleModule module = new SimpleModule("keyslot-texts");
        LocalText.ALL.forEach(text -> add(text, module));
        return module;
    }

    private static <T> void add(LocalText<T> text, SimpleModule module) {
        module.addSerializer(text.type(), new Written<>(text, false))
                .addKeySerializer(text.type(), new Written<>(text, true))
                .addDeserializer(text.type(), new Read<>(text))
                .addKeyDeserializer(text.type(), new ReadKey(text));
    }

    private static final class Written<T> extends StdScalarSerializer<T> {
        private static final long serialVersionUID = 1L;

        private final transient LocalText<T> text;
        private final boolean isKey;

        Written(LocalText<T> text, boolean isKey) {
            super(text.type());
            this.text = text;
            this.isKey = isKey;
        }

        @Override
        public void serialize(T value, JsonGenerator json, SerializerProvider context) throws IOException {
            String written = text.write().apply(value);
            if (isKey) {
                json.writeFieldName(written);
            } else {
                json.writeString(written);
            }
        }
    }

    private static final class Read<T> extends FromStringDeserializer<T> {
        private static final long serialVersionUID = 1L;

        private final transient LocalText<T> text;

        Read(LocalText<T> text) {
            super(text.type());
            this.text = text;
        }

        @Override
        protected T _deserialize(String value, DeserializationContext context) {
            return text.read().apply(value);
        }
    }

    private static final class ReadKey extends KeyDeserializer {
        private final LocalText<?> text;

        ReadKey(LocalText<?> text) {
            this.text = text;
        }

        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return text.read().apply(key);
        }
    }
}
