// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.keyslot.client.codec.graph.AllowedClasses;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The JSON libraries, the preferred one first. Each reads what the other has written. */
enum JsonMappings {
    JACKSON_3("tools.jackson.databind.json.JsonMapper", "tools.jackson.core.StreamReadConstraints") {
        @Override
        public JsonMapping of(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
            return Jackson3.of(type, allowed, loader);
        }
    },

    /** Version 2.15 or later. */
    JACKSON_2("com.fasterxml.jackson.databind.json.JsonMapper", "com.fasterxml.jackson.core.StreamReadConstraints") {
        @Override
        public JsonMapping of(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
            return Jackson2.of(type, allowed, loader);
        }
    };

    private final String mapper;
    private final String constraints;

    JsonMappings(String mapper, String constraints) {
        this.mapper = mapper;
        this.constraints = constraints;
    }

    /** Returns the first library on the class path; throws if there is none. */
    static JsonMappings present() {
        return Arrays.stream(values())
                .filter(library -> exists(library.mapper) && exists(library.constraints))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "codec is 'json', which needs Jackson: add tools.jackson.core:jackson-databind (3), or com.fasterxml.jackson.core:jackson-databind (2.15 or later) to the class path"));
    }

    private static boolean exists(String className) {
        try {
            Class.forName(className, false, JsonMappings.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * Creates a mapping for values of a type; JSON may name the allowed classes where {@code @JsonTypeInfo} is used.
     */
    abstract JsonMapping of(Class<?> type, AllowedClasses allowed, ClassLoader loader);

    /** Writes and reads the values of one type. Safe for use by several threads. */
    interface JsonMapping {
        /** Returns how the type's JSON identifies subtypes; null if it does not. */
        @Nullable
        JsonTypeInfo subtypes();

        default boolean namesSubtypes() {
            return subtypes() != null;
        }

        /** Returns whether the type's JSON identifies subtypes by class names. */
        default boolean namesClasses() {
            JsonTypeInfo subtypes = subtypes();
            return subtypes != null && isOfClasses(subtypes.use());
        }

        static boolean isOfClasses(JsonTypeInfo.Id id) {
            return id == JsonTypeInfo.Id.CLASS || id == JsonTypeInfo.Id.MINIMAL_CLASS;
        }

        /** Throws {@code IOException} or a runtime exception if it has no JSON. */
        void write(Object value, OutputStream target) throws IOException;

        /** Reads a value; null if the JSON is {@code null}. Throws if the bytes are not a value of the type. */
        @Nullable
        Object read(byte[] bytes, int offset, int length) throws IOException;
    }
}
