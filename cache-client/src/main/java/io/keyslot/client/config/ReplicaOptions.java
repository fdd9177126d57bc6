// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/** A replica of a partition's instance, and its network zone (empty if unknown). */
public record ReplicaOptions(PartitionUri uri, String zone) {
    public ReplicaOptions withDefault(Login login) {
        return new ReplicaOptions(uri.withDefault(login), zone);
    }
}
