// SPDX-License-Identifier: Apache-2.0
/** Slots move between real servers while processes are killed, stopped and cut off at named steps. */
@NullMarked
package io.keyslot.it.move;

import org.jspecify.annotations.NullMarked;
