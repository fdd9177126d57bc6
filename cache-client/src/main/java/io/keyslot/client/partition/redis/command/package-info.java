// SPDX-License-Identifier: Apache-2.0
/** Commands of the port as Redis commands and scripts: entries, groups, the register, moves, reports of traffic. */
@NullMarked
package io.keyslot.client.partition.redis.command;

import org.jspecify.annotations.NullMarked;
