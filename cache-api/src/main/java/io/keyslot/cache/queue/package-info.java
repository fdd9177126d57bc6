// SPDX-License-Identifier: Apache-2.0
/** Queues whose messages are spread over the partitions. */
@NullMarked
package io.keyslot.cache.queue;

import org.jspecify.annotations.NullMarked;
