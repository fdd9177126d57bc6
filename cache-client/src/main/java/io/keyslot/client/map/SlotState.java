// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/** How commands may use a slot at its owner. */
enum SlotState {
    /** With plain commands. */
    STABLE,

    /** With fenced commands; the slot is moving away. */
    MOVING,

    /** With fenced commands; the slot has just arrived. */
    SETTLING
}
