// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.regex.Pattern;

/**
 * The process that carries out a move.
 *
 * @param id which process, unique for each start; 1 to 64 letters, digits, dots, dashes and underscores
 * @param epoch the how manieth process that is, from 1: what one with a lower number still says is refused
 */
public record Coordinator(String id, long epoch) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private static final String NONE = "nobody";

    public Coordinator {
        if (!ID.matcher(id).matches() || epoch < 1) {
            throw new IllegalArgumentException(
                    "Coordinator: must be 1 to 64 letters, digits, '.', '-' or '_', and an epoch from 1");
        }
    }

    /** Returns who carries a move out that was taken away from this one: nobody, until somebody takes it over. */
    Coordinator succeededByNone() {
        return succeededBy(NONE);
    }

    public boolean isNone() {
        return id.equals(NONE);
    }

    /** Returns the one that takes over from this one. */
    public Coordinator succeededBy(String successor) {
        return new Coordinator(successor, epoch + 1);
    }
}
