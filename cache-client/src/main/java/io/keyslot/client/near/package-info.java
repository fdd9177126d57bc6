// SPDX-License-Identifier: Apache-2.0
/**
 * Invalidations from the partitions, and their two users: events for listeners, and near caches, which keep entries in
 * this process with a bound on their age. {@link io.keyslot.client.near.NearEntries} has the rules of near caches,
 * {@code docs/decisions/0031-near-caches-reserve-and-track.md} the reasons.
 */
@NullMarked
package io.keyslot.client.near;

import org.jspecify.annotations.NullMarked;
