// SPDX-License-Identifier: Apache-2.0
/** What moves slots from one instance to another: what is stored under physical keys, and who is connected. */
@NullMarked
package io.keyslot.client.partition.redis.move;

import org.jspecify.annotations.NullMarked;
