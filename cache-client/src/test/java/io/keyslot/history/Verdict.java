// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

/** What a search for an order of operations has found. */
public enum Verdict {
    /** There is an order in which one register could have answered all this. */
    LINEARIZABLE,
    /** There is none. */
    NOT_LINEARIZABLE,
    /** The search was given up; nothing is known. */
    TOO_HARD
}
