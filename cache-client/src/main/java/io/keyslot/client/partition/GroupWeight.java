// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/**
 * The estimated size of a group: entries in its index, aggregates with a stamp, and bytes extrapolated from a sample.
 */
public record GroupWeight(long entries, long aggregates, long bytes) {}
