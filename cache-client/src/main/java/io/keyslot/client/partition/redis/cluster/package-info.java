// SPDX-License-Identifier: Apache-2.0
/** Nodes of a cluster: which there are, what they have in common, and where a command goes that one of them sends on. */
@NullMarked
package io.keyslot.client.partition.redis.cluster;

import org.jspecify.annotations.NullMarked;
