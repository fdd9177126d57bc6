// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/** Why a read did not find an entry, as far as the reading process knows. */
public enum MissCause {
    /** This process has not stored the entry recently. */
    NEVER_LOADED,
    /** The entry has expired. */
    EXPIRED,
    /** This process removed it. */
    REMOVED,
    /** The entry has not expired: the partition evicted it, or another process removed it or let it expire. */
    EVICTED_OR_REMOVED_ELSEWHERE,
    /** The cache remembers that the loader has no value for the key. */
    NO_VALUE,
    /** The partition could not be reached. */
    PARTITION_MISSING,
    /** There were bytes, but the codec or the envelope could not be read. */
    UNDECODABLE,
    /** There was an entry of an earlier incarnation of the partition, which may be out of date. */
    OTHER_EPOCH
}
