// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

/**
 * A listener for reports of a partition about a newer slot map. The methods are called for each report, and neither
 * block nor throw.
 */
@FunctionalInterface
public interface NewerMaps {
    NewerMaps NONE = version -> false;

    /**
     * A map of this version or a newer one exists. Returns whether a search for it runs; if not, this process cannot
     * get it.
     */
    boolean isSought(long version);

    /** The partition has lost its data, including the newest map. */
    default void hasForgotten() {}

    /** A command was refused because its slot is frozen. */
    default void refusedFrozen() {}
}
