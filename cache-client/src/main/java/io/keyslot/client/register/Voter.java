// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;

/** An instance in one of its lives: who votes. */
record Voter(PartitionId instance, String incarnation) {}
