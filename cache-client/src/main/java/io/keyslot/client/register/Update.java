// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

/**
 * A change of the register, as a function of a decided value. Immutable and pure, because it is applied again if
 * another proposer was faster.
 */
interface Update {
    /** Returns the unique id of the change, which repetitions share. */
    String operation();

    /** Returns the text version at the first attempt, or an earlier one. */
    long since();

    /** Applies the change to this value, which does not list it. */
    Verdict on(DecidedValue present);

    sealed interface Verdict {
        record Next(RegisterValue value) implements Verdict {}

        record No(RegisterAnswer answer) implements Verdict {}
    }
}
