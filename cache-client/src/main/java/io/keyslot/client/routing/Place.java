// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Route;
import io.keyslot.slot.PartitionId;
import org.jspecify.annotations.Nullable;

/**
 * The destination of commands about some slots. Each topology has two per partition: for moving slots and for the
 * others. {@code partition} is null if the owner is not configured in this process.
 */
public record Place(PartitionId id, @Nullable Partition partition, Route route) {}
