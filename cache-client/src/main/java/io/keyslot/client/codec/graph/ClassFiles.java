// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * What can be said of a class by its name, as {@link Class#getName} gives it ({@code [Lcom.acme.Order;} for an array),
 * and by its class file, without loading it for a name from stored bytes.
 */
public final class ClassFiles {
    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();
    private static final Set<String> INTERFACES = ConcurrentHashMap.newKeySet();

    private static final int MAX_DIMENSIONS = 8;
    private static final String PRIMITIVES = "ZBCSIJFD";

    /** No other name is looked up: stored bytes must not choose a path. */
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_$-]+(\\.[\\p{L}\\p{N}_$-]+)*");

    private static final int TEXT = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;

    /** The number of bytes of each kind of constant after its tag: Java Virtual Machine Specification, section 4.4. */
    private static final int[] BYTES = {0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

    private ClassFiles() {}

    public static boolean exist(String className, ClassLoader loader) {
        return isName(className) && loader.getResource(pathOf(className)) != null;
    }

    private static boolean isName(String className) {
        return NAME.matcher(className).matches();
    }

    private static String pathOf(String className) {
        return className.replace('.', '/') + ".class";
    }

    /**
     * Returns the name of the innermost element type of an array, empty for primitives; else the argument.
     *
     * @throws IllegalArgumentException if it begins like an array's name and is malformed
     */
    public static String elementOf(String className) {
        int dimensions = 0;
        while (dimensions < className.length() && className.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0) {
            return className;
        }
        String element = className.substring(dimensions);
        if (dimensions <= MAX_DIMENSIONS) {
            if (element.length() == 1 && PRIMITIVES.contains(element)) {
                return "";
            }
            if (element.length() > 2 && element.charAt(0) == 'L' && element.endsWith(";")) {
                return element.substring(1, element.length() - 1);
            }
        }
        throw new IllegalArgumentException("not the name of an array class of at most 8 dimensions");
    }

    /**
     * Returns whether it is the name of an interface of {@code java.*}. Remembers interfaces only. Arrays of interfaces
     * are harmless: their elements are checked, and an interface runs no code when it is named.
     */
    public static boolean isJdkInterface(String name) {
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
        try (InputStream file = isName(name) ? JDK.getResourceAsStream(pathOf(name)) : null) {
            return file == null ? isInterfaceWithoutFile(name) : isInterface(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A native image has no class files, and loads no classes. */
    private static boolean isInterfaceWithoutFile(String name) {
        try {
            return Class.forName(name, false, JDK).isInterface();
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /**
     * Returns whether a class file, read to its flags, is that of an interface or annotation.
     *
     * @throws IOException if the file ends too early
     */
    static boolean isInterface(InputStream file) throws IOException {
        DataInputStream input = new DataInputStream(file);
        input.readInt(); // the magic number
        input.readInt(); // the version
        int constants = input.readUnsignedShort();
        for (int i = 1; i < constants; i++) {
            int kind = input.readUnsignedByte();
            input.skipNBytes(kind == TEXT ? input.readUnsignedShort() : BYTES[kind]);
            i += kind == LONG || kind == DOUBLE ? 1 : 0; // they take two indexes
        }
        return Modifier.isInterface(input.readUnsignedShort());
    }
}
