// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import java.util.Locale;

/** The measure that a plan balances. */
public enum Measure {
    KEYS,
    BYTES,
    CALLS;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
