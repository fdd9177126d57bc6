// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

/** A node of the configuration; {@code problem} is empty if it answered as a node of a cluster. */
public record AskedSeed(String address, String problem) {}
