// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.SlotTransfer;

/** The operations of a partition that do not concern entries: moves of slots, and the voter's state. */
record EmbeddedTechnical(SlotTransfer.Operations transfer, EmbeddedRegister register) {}
