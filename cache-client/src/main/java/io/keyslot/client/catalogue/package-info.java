// SPDX-License-Identifier: Apache-2.0
/**
 * The place where all clients agree on the map, how a client follows it, and the recovery of slots that a move left frozen.
 */
@NullMarked
package io.keyslot.client.catalogue;

import org.jspecify.annotations.NullMarked;
