// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.SlotTransfer;

/**
 * What a partition does that is about no entry of an application.
 *
 * @param transfer what whoever moves slots asks for
 * @param register what it has said about the map
 */
record EmbeddedTechnical(SlotTransfer.Operations transfer, EmbeddedRegister register) {}
