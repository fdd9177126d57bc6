// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

/** What the name of a class looks like, in bytes that may be forged. */
final class ClassNames {
    private static final int LONGEST = 1024;

    private ClassNames() {}

    /** Returns whether it may be one. */
    static boolean isOne(String name) {
        return !name.isEmpty()
                && name.length() <= LONGEST
                && name.chars().allMatch(c -> Character.isJavaIdentifierPart(c) || "[.;-".indexOf(c) >= 0);
    }
}
