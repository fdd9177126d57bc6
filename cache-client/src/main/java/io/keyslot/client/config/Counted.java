// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/** Numbers of things in messages. */
public final class Counted {
    private Counted() {}

    /** Returns the number with the noun, which gets an {@code s} unless the number is 1: {@code 1 slot}. */
    public static String of(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
