// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** Hears of groups that are too large. May be called by a thread that does I/O; must not throw. */
@FunctionalInterface
public interface GroupObserver {
    /** Is not interested. */
    GroupObserver NONE = rootType -> {};

    /** A group with a root of this entity type was found to be larger than its limit. */
    void onTooLarge(String rootType);
}
