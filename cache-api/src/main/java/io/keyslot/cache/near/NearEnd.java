// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.near;

/** Why a near copy is there no more. */
public enum NearEnd {
    /** This process has changed the entry. */
    OWN_CHANGE,
    /** The partition has told of a change: by another process, or that the entry has expired or was evicted. */
    TOLD,
    /** The partition has said that anything may have changed. */
    ALL_TOLD,
    /** The connection that told of changes is lost. */
    LINK_LOST,
    /** The slot has another owner, or is on its way to one. */
    MAP_CHANGED,
    /** The entry has expired. */
    EXPIRED,
    /** It could not be decoded. */
    UNREADABLE,
    /** There was no room for it. */
    EVICTED;

    /** Returns whether somebody has changed the entry, or may have. */
    public boolean isInvalidation() {
        return this == OWN_CHANGE || this == TOLD || this == ALL_TOLD;
    }
}
