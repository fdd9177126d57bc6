// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A call of a cache, and what it does to one register that holds a number or nothing. */
public enum Action {
    GET {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return new Step(state, state);
        }
    },
    PUT {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return new Step(operation.argument(), null);
        }
    },
    REMOVE {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return new Step(null, state != null);
        }
    },
    PUT_IF_ABSENT {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state == null ? new Step(operation.argument(), true) : new Step(state, false);
        }
    },
    REPLACE {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state == null ? new Step(null, false) : new Step(operation.argument(), true);
        }
    },
    REPLACE_EXPECTED {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state != null && Objects.equals(state, operation.expected())
                    ? new Step(operation.argument(), true)
                    : new Step(state, false);
        }
    },
    GET_AND_PUT {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return new Step(operation.argument(), state);
        }
    },
    /** An entry processor: sets the argument; answers what was there. */
    EXCHANGE {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return new Step(operation.argument(), state);
        }
    },
    /** An entry processor: adds one, or makes the argument the first value; answers the new value. */
    INCREMENT {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            Long next = state == null ? operation.argument() : Long.valueOf(state + 1);
            return new Step(next, next);
        }
    };

    abstract Step on(@Nullable Long state, Operation operation);

    /** Returns whether it leaves everything as it is, whatever it answers. */
    public boolean isRead() {
        return this == GET;
    }

    /** What the register holds afterwards, and what the caller is told. */
    record Step(@Nullable Long state, @Nullable Object result) {}
}
