// SPDX-License-Identifier: Apache-2.0
/** Looks whether what the partitions know fits the map. */
@NullMarked
package io.keyslot.cluster.inspect;

import org.jspecify.annotations.NullMarked;
