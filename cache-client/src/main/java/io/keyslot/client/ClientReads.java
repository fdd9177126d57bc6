// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.near.NearCaches;
import io.keyslot.client.replica.Replicas;

/**
 * What all caches of one client have for reads.
 *
 * @param near copies in this process
 * @param replicas servers that follow those of the partitions
 */
public record ClientReads(NearCaches near, Replicas replicas) {}
