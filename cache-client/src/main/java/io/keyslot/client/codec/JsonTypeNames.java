// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.graph.AllowedClasses;
import io.keyslot.client.codec.graph.ClassFiles;
import io.keyslot.client.codec.graph.ClassRefusal;
import io.keyslot.client.codec.graph.SeenClasses;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the class names in JSON when they are written, and when they are read, before a class is loaded: names of the
 * allow list and, where a class is itself a value, interfaces of the JDK. Safe for use by several threads.
 */
record JsonTypeNames(AllowedClasses allowed, SeenClasses seen) {
    /** A name may contain others: {@code java.util.EnumMap<com.acme.Kind,java.lang.Object>}. */
    private static final Pattern NAME = Pattern.compile("[^<>,\\s]+");

    /** The refused classes while a thread collects them all; otherwise the first one is thrown. */
    private static final ThreadLocal<Set<String>> COLLECTED = new ThreadLocal<>();

    JsonTypeNames(AllowedClasses allowed, ClassLoader loader) {
        this(allowed, new SeenClasses("json", loader));
    }

    /**
     * Returns the type id of a written value; throws if a class is not allowed, or not the one that the reader finds.
     */
    String written(String id, Class<?> type) {
        requireAllowed(isRelative(id) ? type.getName() : id);
        seen.require(type);
        return id;
    }

    /** Returns the type id that was read; throws if it contains a class that is not allowed. */
    String read(String id) {
        requireAllowed(id);
        return id;
    }

    /**
     * Returns the name of a class that is a value; throws if it is not allowed, or not the one that the reader finds.
     */
    String written(Class<?> type) {
        if (!type.isPrimitive()) {
            requireNameable(type.getName());
        }
        seen.require(type);
        return type.getName();
    }

    /** Throws unless the class is allowed, or an interface of the JDK. */
    void requireNameable(String name) {
        if (!allowed.test(name) && !ClassFiles.isJdkInterface(ClassFiles.elementOf(name))) {
            refuse(ClassFiles.elementOf(name));
        }
    }

    private void requireAllowed(String names) {
        Matcher found = NAME.matcher(names);
        while (found.find()) {
            String name = found.group();
            // The validator checks names relative to a package, once they are complete.
            if (!isRelative(name) && !allowed.test(name)) {
                refuse(name);
            }
        }
    }

    private void refuse(String name) {
        Set<String> all = COLLECTED.get();
        if (all == null) {
            throw ClassRefusal.notAllowed("json", name);
        }
        all.add(name);
    }

    /** Returns all classes that are refused while a value is written, up to the first other failure. */
    static Set<String> notAllowedIn(Callable<?> writing) {
        Set<String> all = new LinkedHashSet<>();
        COLLECTED.set(all);
        try {
            writing.call();
        } catch (Exception | LinkageError | StackOverflowError e) {
            return all; // what was found until then is reported
        } finally {
            COLLECTED.remove();
        }
        return all;
    }

    /** Returns whether it is a name of {@code Id.MINIMAL_CLASS}, without its package. */
    private static boolean isRelative(String name) {
        return name.startsWith(".");
    }

    /**
     * Resolves all class names in JSON for Jackson's type factory: of subtypes, {@link Class} values and modules. Refuses a
     * class before it is loaded if JSON may not name it.
     */
    static final class AllowedLoader extends ClassLoader {
        private final JsonTypeNames named;

        AllowedLoader(JsonTypeNames named, ClassLoader loader) {
            super("names-in-json", loader);
            this.named = named;
        }

        /** Throws a LinkageError for refused classes: after an exception, Jackson would try its own class loader. */
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            try {
                named.requireNameable(name);
            } catch (CodecException refusal) {
                throw new LinkageError("not loaded", refusal);
            }
            return getParent().loadClass(name);
        }
    }
}
