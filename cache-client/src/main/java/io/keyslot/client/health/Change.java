// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

/**
 * A change of a partition's health by an event; a no-op if both states are equal. {@code isReturn} tells whether the partition is healthy again after it was missing.
 */
record Change(Health before, Health after, TransitionCause cause, boolean isReturn) {}
