// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import java.time.Duration;

/**
 * What an event made of a partition's health; nothing, if both are equal.
 *
 * @param lasted how long the state had lasted that was left
 * @param isReturn whether the partition is healthy again after it was not asked
 */
record Change(Health before, Health after, TransitionCause cause, Duration lasted, boolean isReturn) {}
