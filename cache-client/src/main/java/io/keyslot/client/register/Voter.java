// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;

/** An instance in one incarnation, which votes. */
record Voter(PartitionId instance, String incarnation) {}
