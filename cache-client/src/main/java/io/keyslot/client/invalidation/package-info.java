// SPDX-License-Identifier: Apache-2.0
/** Invalidations from the partitions, and the events for listeners that follow from them. */
@NullMarked
package io.keyslot.client.invalidation;

import org.jspecify.annotations.NullMarked;
