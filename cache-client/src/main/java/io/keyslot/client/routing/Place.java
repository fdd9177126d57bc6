// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Route;
import io.keyslot.slot.PartitionId;
import org.jspecify.annotations.Nullable;

/**
 * Where commands about some slots go, by one topology. There are two for each partition: for the slots that stay, and for those
 * that are on their way.
 *
 * @param id who owns the slots
 * @param partition whom to ask, null if it is not configured in this process
 * @param route by what commands are routed that go there
 */
public record Place(PartitionId id, @Nullable Partition partition, Route route) {}
