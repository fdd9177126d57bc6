// SPDX-License-Identifier: Apache-2.0
/** What is asked about the map and its moves: the register, what is stored under physical keys, who is connected. */
@NullMarked
package io.keyslot.client.partition.redis.control;

import org.jspecify.annotations.NullMarked;
