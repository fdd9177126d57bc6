// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import org.jspecify.annotations.Nullable;

/** Operations of histories written by hand. */
final class Histories {
    static final String KEY = "k";

    private Histories() {}

    static Operation ok(
            String caller, Action action, @Nullable Long argument, @Nullable Object result, long start, long end) {
        return new Operation(caller, action, KEY, argument, null, Outcome.OK, result, start, end, "");
    }

    static Operation get(String caller, @Nullable Long result, long start, long end) {
        return ok(caller, Action.GET, null, result, start, end);
    }

    static Operation put(String caller, long value, long start, long end) {
        return ok(caller, Action.PUT, value, null, start, end);
    }

    /** A removal by its version in the database, of an entry that was there. */
    static Operation remove(String caller, long version, long start, long end) {
        return ok(caller, Action.REMOVE, version, true, start, end);
    }

    static Operation replace(String caller, long expected, long value, boolean result, long start, long end) {
        return new Operation(caller, Action.REPLACE_EXPECTED, KEY, value, expected, Outcome.OK, result, start, end, "");
    }

    static Operation with(Outcome outcome, Operation operation) {
        return new Operation(
                operation.caller(),
                operation.action(),
                operation.key(),
                operation.argument(),
                operation.expected(),
                outcome,
                null,
                operation.start(),
                operation.end(),
                "told so");
    }

    static Operation withResult(@Nullable Object result, Operation operation) {
        return new Operation(
                operation.caller(),
                operation.action(),
                operation.key(),
                operation.argument(),
                operation.expected(),
                operation.outcome(),
                result,
                operation.start(),
                operation.end(),
                operation.note());
    }
}
