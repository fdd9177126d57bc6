// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

/**
 * A change of the register: what follows from a value that was decided. Immutable; pure, as it is asked again whenever somebody
 * else was faster.
 */
interface Update {
    /** Returns the id of the change, which no other one has, and which a repetition of it has too. */
    String operation();

    /** Returns the version of the text that was current, or earlier, when the change was begun first. */
    long since();

    /** Returns what follows from this value, in whose list the change is not. */
    Verdict on(DecidedValue present);

    /** What follows from a value. */
    sealed interface Verdict {
        /** The next value, which lists the change. */
        record Next(RegisterValue value) implements Verdict {}

        /** Nothing. */
        record No(RegisterAnswer answer) implements Verdict {}
    }
}
