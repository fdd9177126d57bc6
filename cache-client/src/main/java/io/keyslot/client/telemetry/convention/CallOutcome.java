// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

/** The outcome of a call to a cache. If several apply, the last in this order counts. */
public enum CallOutcome {
    /** The call has not ended. */
    UNKNOWN,
    /** The call succeeded, and was not a look-up. */
    DONE,
    /** All requested entries were found. */
    HIT,
    /** No requested entry was found, even if it was loaded then. */
    MISS,
    /** Some requested entries were found. */
    PARTIAL,
    /** A write was not executed, without an exception; a pending delete removes the entry before it is read. */
    JOURNALED,
    /** The call failed, and fail-safe behavior continued as if there were no cache. */
    FORGIVEN,
    /** The call failed with an exception. */
    FAILED
}
