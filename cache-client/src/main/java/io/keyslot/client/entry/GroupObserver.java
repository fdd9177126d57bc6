// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** Receives groups that are too large. May be called by an I/O thread; must not throw. */
@FunctionalInterface
public interface GroupObserver {
    GroupObserver NONE = rootType -> {};

    void onTooLarge(String rootType);
}
