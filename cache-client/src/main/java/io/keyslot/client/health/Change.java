// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import java.time.Duration;

/**
 * A change of a partition's health by an event; a no-op if both states are equal. {@code lasted} is the time spent in
 * the state before; {@code isReturn} tells whether the partition is healthy again after it was missing.
 */
record Change(Health before, Health after, TransitionCause cause, Duration lasted, boolean isReturn) {}
