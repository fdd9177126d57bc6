// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * The size of a group.
 *
 * @param entries the number of entries, rows included
 * @param aggregates the number of hashes, lists, sets, sorted sets and counters
 * @param bytes the bytes of all values with their envelopes and of all elements of aggregates, without keys and the
 *     server's overhead
 */
public record GroupSize(long entries, long aggregates, long bytes) {}
