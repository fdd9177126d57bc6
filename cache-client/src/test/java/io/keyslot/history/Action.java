// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A call of a cache, and what it does to one register that holds a number or nothing. */
public enum Action {
    GET {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return Step.seen(state, state);
        }
    },
    /** A read that does not miss what a database behind the cache has. */
    READ_THROUGH {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return Step.seen(state, state);
        }
    },
    /** A read that stores and answers the argument if nothing is there. */
    GET_OR_LOAD {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state == null ? Step.stored(operation.argument(), operation.argument()) : Step.seen(state, state);
        }
    },
    CONTAINS {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return Step.seen(state, state != null);
        }
    },
    PUT {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return Step.stored(operation.argument(), null);
        }
    },
    REMOVE {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return Step.stored(null, state != null);
        }
    },
    /** A removal that does not say whether something was there. */
    DELETE {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return Step.stored(null, null);
        }
    },
    /** A removal of what is there, which does not say whether it was. */
    DELETE_PRESENT {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state == null ? Step.seen(null, null) : Step.stored(null, null);
        }
    },
    REMOVE_EXPECTED {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state != null && Objects.equals(state, operation.expected())
                    ? Step.stored(null, true)
                    : Step.seen(state, false);
        }
    },
    GET_AND_REMOVE {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return Step.stored(null, state);
        }
    },
    PUT_IF_ABSENT {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state == null ? Step.stored(operation.argument(), true) : Step.seen(state, false);
        }
    },
    REPLACE {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state == null ? Step.seen(null, false) : Step.stored(operation.argument(), true);
        }
    },
    REPLACE_EXPECTED {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state != null && Objects.equals(state, operation.expected())
                    ? Step.stored(operation.argument(), true)
                    : Step.seen(state, false);
        }
    },
    GET_AND_PUT {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return Step.stored(operation.argument(), state);
        }
    },
    GET_AND_REPLACE {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state == null ? Step.seen(null, null) : Step.stored(operation.argument(), state);
        }
    },
    /** An entry processor: sets the argument; answers what was there. */
    EXCHANGE {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return Step.stored(operation.argument(), state);
        }
    },
    /** An entry processor: removes the entry if it is there; answers what was. */
    TAKE {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            return state == null ? Step.seen(null, null) : Step.stored(null, state);
        }
    },
    /** An entry processor: adds one, or makes the argument the first value; answers the new value. */
    INCREMENT {
        @Override
        Step on(@Nullable Long state, Operation operation) {
            Long next = state == null ? operation.argument() : Long.valueOf(state + 1);
            return Step.stored(next, next);
        }
    };

    abstract Step on(@Nullable Long state, Operation operation);

    /** Returns whether it leaves everything as it is, whatever it answers. */
    public boolean isRead() {
        return this == GET || this == READ_THROUGH || this == CONTAINS;
    }

    /** Returns whether it answers the same whatever was there. */
    boolean isBlind() {
        return this == PUT || this == DELETE || this == DELETE_PRESENT || this == GET_OR_LOAD;
    }

    /**
     * What the register holds afterwards, and what the caller is told.
     *
     * @param stores whether that is for the call to have been
     */
    record Step(@Nullable Long state, @Nullable Object result, boolean stores) {
        static Step seen(@Nullable Long state, @Nullable Object result) {
            return new Step(state, result, false);
        }

        static Step stored(@Nullable Long state, @Nullable Object result) {
            return new Step(state, result, true);
        }
    }
}
