// SPDX-License-Identifier: Apache-2.0
/** The nodes of a Redis or Valkey Cluster, the properties they share, and redirected commands. */
@NullMarked
package io.keyslot.client.partition.redis.cluster;

import org.jspecify.annotations.NullMarked;
