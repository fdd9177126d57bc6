// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.json;

import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.codec.allow.ClassRefusal;
import io.keyslot.client.codec.allow.SeenClasses;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which classes JSON may name, wherever in a value {@code @JsonTypeInfo} has it name one: those of the allow list. It is asked
 * when a name is written, and when one is read, before a class is loaded. Safe for use by several threads.
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
