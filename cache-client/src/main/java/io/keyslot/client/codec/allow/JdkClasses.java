// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Inspects the JDK's class files, without loading a class for a name from stored bytes; remembers interfaces only. */
public final class JdkClasses {
    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    private static final Set<String> INTERFACES = ConcurrentHashMap.newKeySet();

    private JdkClasses() {}

    /**
     * Returns whether it is the name of an interface of {@code java.*}. Arrays of interfaces are harmless: their
     * elements are checked, and an interface runs no code when it is named.
     */
    public static boolean isInterface(String name) {
        if (!name.startsWith("java.") || INTERFACES.contains(name)) {
            return name.startsWith("java.");
        }
        boolean isOne = looksLikeInterface(name);
        if (isOne) {
            INTERFACES.add(name);
        }
        return isOne;
    }

    private static boolean looksLikeInterface(String name) {
        return find(name).map(ClassHeader::isInterface).orElse(false);
    }

    private static Optional<ClassHeader> find(String name) {
        try (InputStream file = ClassFiles.open(name, JDK)) {
            return file == null ? findWithoutFile(name) : Optional.of(ClassHeader.read(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A native image has no class files, and loads no classes. */
    private static Optional<ClassHeader> findWithoutFile(String name) {
        try {
            return Optional.of(ClassHeader.of(Class.forName(name, false, JDK)));
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty();
        }
    }
}
