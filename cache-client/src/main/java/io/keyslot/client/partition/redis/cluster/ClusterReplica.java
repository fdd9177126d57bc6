// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

/**
 * A node that follows a primary of a cluster, as the cluster says.
 *
 * @param id by which the nodes know it
 * @param host where clients reach it; an IPv6 address without brackets
 * @param port where clients reach it
 */
public record ClusterReplica(String id, String host, int port) {}
