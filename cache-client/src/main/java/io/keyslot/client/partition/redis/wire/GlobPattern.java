// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

/** Builds patterns for {@code SCAN … MATCH}. */
public final class GlobPattern {
    private static final String SPECIAL = "*?[]\\";

    private GlobPattern() {}

    /** Returns the pattern of all texts with this prefix, which may contain any characters. */
    public static String startingWith(String prefix) {
        StringBuilder pattern = new StringBuilder(prefix.length() + 8);
        for (int i = 0; i < prefix.length(); i++) {
            char c = prefix.charAt(i);
            if (SPECIAL.indexOf(c) >= 0) {
                pattern.append('\\');
            }
            pattern.append(c);
        }
        return pattern.append('*').toString();
    }
}
