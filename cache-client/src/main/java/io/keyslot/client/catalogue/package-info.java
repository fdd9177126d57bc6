// SPDX-License-Identifier: Apache-2.0
/** The catalogue of the map, how a client follows it, and the recovery of slots that a move left frozen. */
@NullMarked
package io.keyslot.client.catalogue;

import org.jspecify.annotations.NullMarked;
