// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.client.codec.allow.AllowedClasses;
import java.util.Arrays;

/** The JSON libraries, the preferred one first. Each reads what the other has written. */
enum JsonMappings {
    JACKSON_3("tools.jackson.databind.json.JsonMapper", "tools.jackson.core.StreamReadConstraints") {
        @Override
        public JsonMapping of(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
            return new Jackson3(type, allowed, loader);
        }
    },

    /** Version 2.15 or later. */
    JACKSON_2("com.fasterxml.jackson.databind.json.JsonMapper", "com.fasterxml.jackson.core.StreamReadConstraints") {
        @Override
        public JsonMapping of(Class<?> type, AllowedClasses allowed, ClassLoader loader) {
            return new Jackson2(type, allowed, loader);
        }
    };

    private final String mapper;
    private final String constraints;

    JsonMappings(String mapper, String constraints) {
        this.mapper = mapper;
        this.constraints = constraints;
    }

    /** Returns the first library on the class path; throws if there is none. */
    public static JsonMappings present() {
        return Arrays.stream(values())
                .filter(JsonMappings::isPresent)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "codec is 'json', which needs Jackson: add tools.jackson.core:jackson-databind (3), or com.fasterxml.jackson.core:jackson-databind (2.15 or later) to the class path"));
    }

    private boolean isPresent() {
        return exists(mapper) && exists(constraints);
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
    public abstract JsonMapping of(Class<?> type, AllowedClasses allowed, ClassLoader loader);
}
