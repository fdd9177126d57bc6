// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

/** Hears from a partition that there is a newer slot map. */
@FunctionalInterface
public interface NewerMaps {
    /** Nobody looks for one. */
    NewerMaps NONE = version -> false;

    /**
     * There is one of this version, or a newer one. Called as often as it is said; neither blocks nor throws.
     *
     * @return whether somebody looks for it; if not, this process will never know it
     */
    boolean isSought(long version);

    /** The partition has lost all that it knew, of the newest map as well. Neither blocks nor throws. */
    default void hasForgotten() {}

    /** A command was refused, as its slot is frozen. Called as often as that happens; neither blocks nor throws. */
    default void refusedFrozen() {}
}
