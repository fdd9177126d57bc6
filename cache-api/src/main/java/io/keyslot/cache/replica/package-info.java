// SPDX-License-Identifier: Apache-2.0

/** Reads from replicas of the servers that have the partitions. */
@NullMarked
package io.keyslot.cache.replica;

import org.jspecify.annotations.NullMarked;
