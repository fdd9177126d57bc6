// SPDX-License-Identifier: Apache-2.0
/** Commands about single entries, and many of them. */
@NullMarked
package io.keyslot.client.partition.redis.entry;

import org.jspecify.annotations.NullMarked;
