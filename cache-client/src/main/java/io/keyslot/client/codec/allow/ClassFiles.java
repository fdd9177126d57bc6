// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import java.io.InputStream;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds out whether a class exists, without loading it. */
public final class ClassFiles {
    /** No other name is looked up: stored bytes must not choose a path. */
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_$-]+(\\.[\\p{L}\\p{N}_$-]+)*");

    private ClassFiles() {}

    public static boolean exist(String className, ClassLoader loader) {
        return isName(className) && loader.getResource(pathOf(className)) != null;
    }

    /** Returns the class file, or null if the loader has none. */
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
