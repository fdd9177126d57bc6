// SPDX-License-Identifier: Apache-2.0
/**
 * The catalogue of the map, or the nodes of a cluster in its place; how a client follows it; and the recovery of slots
 * that a move left frozen.
 */
@NullMarked
package io.keyslot.client.catalogue;

import org.jspecify.annotations.NullMarked;
