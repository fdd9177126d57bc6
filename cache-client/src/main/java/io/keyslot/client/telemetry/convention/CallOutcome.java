// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry.convention;

/** How a call of a cache has ended. Of several that fit, the last in this order counts. */
public enum CallOutcome {
    /** It has not ended yet. */
    UNKNOWN,
    /** It was done, and asked for nothing that could have been there or not. */
    DONE,
    /** Everything that it asked for was there. */
    HIT,
    /** Nothing was there, be it loaded then or not. */
    MISS,
    /** Some of it was there. */
    PARTIAL,
    /** A write was not done, and its caller is not told: what it would have replaced is deleted before it is read. */
    JOURNALED,
    /** It failed, and its caller went on as if there were no cache. */
    FORGIVEN,
    /** It failed, and its caller was told. */
    FAILED
}
