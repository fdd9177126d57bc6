// SPDX-License-Identifier: Apache-2.0
/** The load of slots, groups and keys: measured at the partitions, and formatted. */
@NullMarked
package io.keyslot.cluster.load;

import org.jspecify.annotations.NullMarked;
