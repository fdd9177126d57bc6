// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.cache.PartitionState;
import io.keyslot.slot.PartitionId;
import java.time.Duration;

/** A change of a partition's state; {@code lasted} is the time spent in the previous one. */
public record Transition(
        PartitionId partition, PartitionState from, PartitionState to, TransitionCause cause, Duration lasted) {}
