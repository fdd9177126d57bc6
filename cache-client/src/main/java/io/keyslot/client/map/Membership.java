// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/** What a partition of a map is there for. */
public enum Membership {
    /** It owns slots, and may get more. */
    ACTIVE,

    /** It owns slots, and gets no more: they are to go elsewhere. With the last of them gone it is removed. */
    DRAINING,

    /**
     * It is gone for good, with all that it had. Nobody asks it; what it owns is to go elsewhere, where it begins with nothing.
     * With the last of it gone it is removed.
     */
    LOST,

    /** It owns nothing, and nobody asks it. */
    REMOVED
}
