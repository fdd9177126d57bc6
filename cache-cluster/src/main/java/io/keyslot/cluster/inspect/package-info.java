// SPDX-License-Identifier: Apache-2.0
/** Checks of the partitions against the map. */
@NullMarked
package io.keyslot.cluster.inspect;

import org.jspecify.annotations.NullMarked;
