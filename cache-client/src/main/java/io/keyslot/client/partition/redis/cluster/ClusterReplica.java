// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

/** A replica in a cluster, with its address for clients, where an IPv6 address has no brackets. */
public record ClusterReplica(String id, String host, int port) {}
