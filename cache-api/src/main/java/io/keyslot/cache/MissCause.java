// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/** Why a read did not find an entry, as far as the process that read knows. */
public enum MissCause {
    /** This process has neither stored nor read the entry lately. */
    NEVER_LOADED,
    /** The entry's time was over. */
    EXPIRED,
    /** This process removed it. */
    REMOVED,
    /** It was there and its time was not over: the partition evicted it, or another process removed it or let it expire. */
    EVICTED_OR_REMOVED_ELSEWHERE,
    /** It is remembered that the loader has no value for the key. */
    NO_VALUE,
    /** The partition could not be asked. */
    PARTITION_MISSING,
    /** There were bytes, but the codec or the envelope could not be read. */
    UNDECODABLE,
    /** There was an entry of an earlier life of the partition, which may be out of date. */
    OTHER_EPOCH
}
