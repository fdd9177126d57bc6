// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.near;

/** The reason why a near entry was dropped. */
public enum NearEnd {
    /** This process changed the entry. */
    OWN_CHANGE,
    /** The partition reported a change: by another process, expiry or eviction. */
    TOLD,
    /** The partition has said that anything may have changed. */
    ALL_TOLD,
    /** The connection that reported changes was lost. */
    LINK_LOST,
    /** The slot has another owner, or is moving to one. */
    MAP_CHANGED,
    /** The entry has expired. */
    EXPIRED,
    /** The entry could not be decoded. */
    UNREADABLE,
    /** The near cache was full. */
    EVICTED;

    /** Returns whether the entry was changed, or may have been. */
    public boolean isInvalidation() {
        return this == OWN_CHANGE || this == TOLD || this == ALL_TOLD;
    }
}
