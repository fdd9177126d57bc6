// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * How large a group is.
 *
 * @param entries how many entries, rows included
 * @param aggregates how many hashes, lists, sets, sorted sets and counters
 * @param bytes of all values with their envelopes and all elements of aggregates; without keys, and without what the
 *     server needs besides
 */
public record GroupSize(long entries, long aggregates, long bytes) {}
