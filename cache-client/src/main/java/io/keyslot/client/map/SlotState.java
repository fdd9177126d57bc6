// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/** How a slot may be used at its owner. */
enum SlotState {
    /** By plain commands. */
    STABLE,

    /** By fenced commands, at its owner; it is on its way to another one. */
    MOVING,

    /** By fenced commands, at its owner, to whom it has just come. */
    SETTLING
}
