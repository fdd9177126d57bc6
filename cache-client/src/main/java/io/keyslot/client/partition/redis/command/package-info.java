// SPDX-License-Identifier: Apache-2.0
/** The commands of the port as Redis commands and scripts: entries, groups, the register, moves, traffic reports. */
@NullMarked
package io.keyslot.client.partition.redis.command;

import org.jspecify.annotations.NullMarked;
