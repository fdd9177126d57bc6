// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

/** A partition is what it was when it was connected. */
public final class Partition {
    private void learnFrom(Reply<?> reply, PartitionConnection from) {}
}
