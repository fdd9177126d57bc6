// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.codec.allow.ArrayNames;
import io.keyslot.client.codec.allow.ClassRefusal;
import io.keyslot.client.codec.allow.JdkClasses;
import io.keyslot.client.codec.allow.SeenClasses;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which classes JSON may name: those of the allow list, where {@code @JsonTypeInfo} has it say of which class a value is; and
 * besides them interfaces of the JDK, where a class is itself a value. It is asked when a name is written, and when one is read,
 * before a class is loaded. Safe for use by several threads.
 */
final class JsonTypeNames {
    /** A name may have others within: {@code java.util.EnumMap<com.acme.Kind,java.lang.Object>}. */
    private static final Pattern NAME = Pattern.compile("[^<>,\\s]+");

    private final AllowedClasses allowed;
    private final SeenClasses seen;

    JsonTypeNames(AllowedClasses allowed, ClassLoader loader) {
        this.allowed = allowed;
        this.seen = new SeenClasses("json", loader);
    }

    /**
     * Refuses a value that nobody would read again.
     *
     * @param id what its JSON says of its class
     * @return the same
     * @throws io.keyslot.cache.failure.CodecException if a class is not allowed, or the reader's class loader has another one
     */
    String written(String id, Class<?> type) {
        requireAllowed(isRelative(id) ? type.getName() : id);
        seen.require(type);
        return id;
    }

    /**
     * Looks at each class in what JSON says of one.
     *
     * @return the same
     * @throws io.keyslot.cache.failure.CodecException if one of them is not allowed
     */
    String read(String id) {
        requireAllowed(id);
        return id;
    }

    /**
     * Returns the name of a class that is a value.
     *
     * @throws io.keyslot.cache.failure.CodecException if it may not be named, or the reader's class loader has another one
     */
    String written(Class<?> type) {
        if (!type.isPrimitive()) {
            requireNameable(type.getName());
        }
        seen.require(type);
        return type.getName();
    }

    /**
     * Refuses a name that stands for nothing that a value may have: neither an object of the class nor the class itself.
     *
     * @throws io.keyslot.cache.failure.CodecException if it does
     */
    void requireNameable(String name) {
        if (!allowed.test(name) && !JdkClasses.isInterface(ArrayNames.elementOf(name))) {
            throw ClassRefusal.notAllowed("json", ArrayNames.elementOf(name));
        }
    }

    private void requireAllowed(String names) {
        Matcher found = NAME.matcher(names);
        while (found.find()) {
            String name = found.group();
            // One that is relative to a package is asked for when it is complete, by the validator.
            if (!isRelative(name) && !allowed.test(name)) {
                throw ClassRefusal.notAllowed("json", name);
            }
        }
    }

    /** Returns whether it is one of {@code Id.MINIMAL_CLASS}, without its package. */
    private static boolean isRelative(String name) {
        return name.startsWith(".");
    }
}
