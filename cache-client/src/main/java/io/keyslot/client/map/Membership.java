// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/** What a partition of a map is there for. */
public enum Membership {
    /** It owns slots, and may get more. */
    ACTIVE,

    /** It owns slots, and gets no more: they are to go elsewhere. With the last of them gone it is removed. */
    DRAINING,

    /** It owns nothing, and nobody asks it. */
    REMOVED
}
