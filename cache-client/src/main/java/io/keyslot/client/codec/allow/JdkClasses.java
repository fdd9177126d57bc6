// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Looks at classes of the JDK by their names, in its class files: a name from stored bytes does no more than to be looked at, and
 * does not fill this process with classes that nobody uses.
 *
 * <p>What was found is remembered: at most as many names as the JDK has interfaces and exceptions.
 */
public final class JdkClasses {
    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    private static final Set<String> INTERFACES = ConcurrentHashMap.newKeySet();
    private static final Set<String> THROWABLES = ConcurrentHashMap.newKeySet();

    private JdkClasses() {}

    /**
     * Returns whether it is the name of an interface of {@code java.*}. An array of it holds what is allowed anyway: an
     * interface has no objects, and no code that runs when it is only named.
     */
    public static boolean isInterface(String name) {
        return name.startsWith("java.") && isAmong(INTERFACES, name, JdkClasses::looksLikeInterface);
    }

    /** Returns whether it is the name of an exception of the JDK. */
    public static boolean isThrowable(String name) {
        return KnownClasses.isJdk(name) && isAmong(THROWABLES, name, JdkClasses::looksLikeThrowable);
    }

    private static boolean isAmong(Set<String> found, String name, Predicate<String> look) {
        if (found.contains(name)) {
            return true;
        }
        boolean isOne = look.test(name);
        if (isOne) {
            found.add(name);
        }
        return isOne;
    }

    private static boolean looksLikeInterface(String name) {
        return find(name).map(ClassHeader::isInterface).orElse(false);
    }

    private static boolean looksLikeThrowable(String name) {
        Optional<String> looked = Optional.of(name);
        while (looked.isPresent() && !looked.get().equals(Throwable.class.getName())) {
            looked = looked.flatMap(JdkClasses::find).map(ClassHeader::superName);
        }
        return looked.isPresent();
    }

    private static Optional<ClassHeader> find(String name) {
        try (InputStream file = ClassFiles.open(name, JDK)) {
            return file == null ? findWithoutFile(name) : Optional.of(ClassHeader.read(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A native image has classes without their files, and loads none. */
    private static Optional<ClassHeader> findWithoutFile(String name) {
        try {
            return Optional.of(ClassHeader.of(Class.forName(name, false, JDK)));
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty();
        }
    }
}
