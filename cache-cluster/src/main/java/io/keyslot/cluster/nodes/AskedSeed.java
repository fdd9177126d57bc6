// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.nodes;

/**
 * A node that the configuration names.
 *
 * @param address where it is
 * @param problem why it is of no use; empty if it answered as a node of a cluster
 */
public record AskedSeed(String address, String problem) {}
