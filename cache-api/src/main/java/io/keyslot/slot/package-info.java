// SPDX-License-Identifier: Apache-2.0
/** Hash slots, hash tags and slot maps, without I/O, threads or clocks. */
@NullMarked
package io.keyslot.slot;

import org.jspecify.annotations.NullMarked;
