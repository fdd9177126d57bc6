// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

import java.util.regex.Pattern;

/** Tells a class that exists from a name that stands for nothing, without loading it. */
public final class ClassFiles {
    /** Nothing else is looked up: a name from stored bytes must not become a path of its writer's choice. */
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_$-]+(\\.[\\p{L}\\p{N}_$-]+)*");

    private ClassFiles() {}

    /** Returns whether the loader has a class of this name, as {@link Class#getName} gives it. */
    public static boolean exist(String className, ClassLoader loader) {
        return NAME.matcher(className).matches() && loader.getResource(className.replace('.', '/') + ".class") != null;
    }
}
