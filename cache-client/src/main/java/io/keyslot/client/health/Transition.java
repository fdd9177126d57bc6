// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.slot.PartitionId;
import java.time.Duration;

/**
 * A change of a partition's state.
 *
 * @param lasted how long it had been in the state that it left
 */
public record Transition(
        PartitionId partition, PartitionState from, PartitionState to, TransitionCause cause, Duration lasted) {}
