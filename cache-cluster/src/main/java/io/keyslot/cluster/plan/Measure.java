// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

/** The measure that a plan balances. */
public enum Measure {
    KEYS,

    BYTES,

    CALLS
}
