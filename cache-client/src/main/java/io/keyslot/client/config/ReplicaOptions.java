// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/**
 * A server that follows the instance of a partition.
 *
 * @param uri where it is
 * @param zone which part of the network it is in, empty if that is not said
 */
public record ReplicaOptions(PartitionUri uri, String zone) {
    /** Returns the same where this logs in, unless its address says who does. */
    public ReplicaOptions withDefault(Login login) {
        return new ReplicaOptions(uri.withDefault(login), zone);
    }
}
