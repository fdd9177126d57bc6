// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

/** What a caller knows of a call after it has ended. */
public enum Outcome {
    /** Done, with the recorded result. */
    OK,
    /** Not done, and it will not be. */
    FAILED,
    /** Done or not; if not, it may still be done at any later time. */
    UNKNOWN
}
