// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import java.util.Optional;

/**
 * Looks at classes of the JDK by their names. Only the JDK's own loaders are asked, and nothing is initialized, so that a
 * name from stored bytes does no more than to be looked at.
 */
public final class JdkClasses {
    private JdkClasses() {}

    /**
     * Returns whether it is the name of an interface of {@code java.*}. An array of it holds what is allowed anyway: an
     * interface has no objects, and no code that runs when it is only named.
     */
    public static boolean isInterface(String name) {
        return name.startsWith("java.") && find(name).map(Class::isInterface).orElse(false);
    }

    /** Returns whether it is the name of an exception of the JDK. */
    public static boolean isThrowable(String name) {
        return KnownClasses.isJdk(name)
                && find(name).map(Throwable.class::isAssignableFrom).orElse(false);
    }

    private static Optional<Class<?>> find(String name) {
        try {
            return Optional.of(Class.forName(name, false, ClassLoader.getPlatformClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty();
        }
    }
}
