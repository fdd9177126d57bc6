// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

/** What a workload may have besides its calls. */
enum Extra {
    /** The threads are interrupted now and then, in calls and between them. */
    INTERRUPTIONS,
    /** A synchronous listener hears of all changes, and writes down what it hears. */
    LISTENERS
}
