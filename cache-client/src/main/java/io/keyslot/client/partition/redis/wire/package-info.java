// SPDX-License-Identifier: Apache-2.0
/** Commands, scripts and replies on one connection, in the order in which they are written; event loops. */
@NullMarked
package io.keyslot.client.partition.redis.wire;

import org.jspecify.annotations.NullMarked;
