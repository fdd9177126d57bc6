// SPDX-License-Identifier: Apache-2.0

/** Reads from replicas of the partitions' servers. */
@NullMarked
package io.keyslot.cache.replica;

import org.jspecify.annotations.NullMarked;
