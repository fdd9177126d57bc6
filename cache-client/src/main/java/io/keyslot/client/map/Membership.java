// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/** The role of a partition in a map. */
public enum Membership {
    /** It owns slots and may get more. */
    ACTIVE,

    /** It owns slots and gets no more; they are to be moved away. After the last one it is removed. */
    DRAINING,

    /**
     * It is gone for good with its data. Clients do not use it. Its slots are to be assigned to others, where they
     * start empty; after the last one it is removed.
     */
    LOST,

    /** It owns no slots, and clients do not use it. */
    REMOVED
}
