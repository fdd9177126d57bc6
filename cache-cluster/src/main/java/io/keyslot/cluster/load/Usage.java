// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

/** By what slots are compared. */
public enum Usage {
    CALLS,
    TRAFFIC,
    KEYS,
    BYTES;

    long of(SlotUse use) {
        return switch (this) {
            case CALLS -> use.calls();
            case TRAFFIC -> use.traffic();
            case KEYS -> use.keys();
            case BYTES -> use.bytes();
        };
    }
}
