// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.regex.Pattern;

/**
 * The process that executes a move, with an id for each start: 1 to 64 letters, digits, dots, dashes and underscores.
 * The epoch increases with each coordinator of the move, from 1; commands with a lower one are refused.
 */
public record Coordinator(String id, long epoch) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** Stands for no coordinator, until another process takes over. */
    static final String NONE = "none";

    public Coordinator {
        if (!ID.matcher(id).matches() || epoch < 1) {
            throw new IllegalArgumentException(
                    "Coordinator: must be 1 to 64 letters, digits, '.', '-' or '_', and an epoch from 1");
        }
    }

    public boolean isNone() {
        return id.equals(NONE);
    }

    public Coordinator succeededBy(String successor) {
        return new Coordinator(successor, epoch + 1);
    }
}
