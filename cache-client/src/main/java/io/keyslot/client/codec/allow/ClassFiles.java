// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import java.io.InputStream;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells a class that exists from a name that stands for nothing, without loading it. */
public final class ClassFiles {
    /** Nothing else is looked up: a name from stored bytes must not become a path of its writer's choice. */
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_$-]+(\\.[\\p{L}\\p{N}_$-]+)*");

    private ClassFiles() {}

    /** Returns whether the loader has a class of this name, as {@link Class#getName} gives it. */
    public static boolean exist(String className, ClassLoader loader) {
        return isName(className) && loader.getResource(pathOf(className)) != null;
    }

    /** Opens the file of the class of this name, or returns null if the loader has none. */
    static @Nullable InputStream open(String className, ClassLoader loader) {
        return isName(className) ? loader.getResourceAsStream(pathOf(className)) : null;
    }

    private static boolean isName(String className) {
        return NAME.matcher(className).matches();
    }

    private static String pathOf(String className) {
        return className.replace('.', '/') + ".class";
    }
}
