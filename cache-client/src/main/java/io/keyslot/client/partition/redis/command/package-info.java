// SPDX-License-Identifier: Apache-2.0
/** What is asked about the map, its moves and its load: the register, physical keys, who is connected, reports of clients. */
@NullMarked
package io.keyslot.client.partition.redis.command;

import org.jspecify.annotations.NullMarked;
