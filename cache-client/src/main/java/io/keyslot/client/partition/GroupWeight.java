// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/**
 * About how large a group is.
 *
 * @param entries how many names its index has
 * @param aggregates how many aggregates have a stamp
 * @param bytes of all of them, reckoned from some
 */
public record GroupWeight(long entries, long aggregates, long bytes) {}
