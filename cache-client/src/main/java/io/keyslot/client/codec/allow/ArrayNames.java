// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.allow;

/** The names of array classes, as {@link Class#getName} gives them: {@code [Lcom.acme.Order;}, {@code [[I}. */
public final class ArrayNames {
    static final int MAX_DIMENSIONS = 8;

    private static final String PRIMITIVES = "ZBCSIJFD";

    private ArrayNames() {}

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
}
