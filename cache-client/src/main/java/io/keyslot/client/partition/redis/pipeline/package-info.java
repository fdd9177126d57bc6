// SPDX-License-Identifier: Apache-2.0
/** Commands of one batch that leave right behind one another, and have one reply for all. */
@NullMarked
package io.keyslot.client.partition.redis.pipeline;

import org.jspecify.annotations.NullMarked;
