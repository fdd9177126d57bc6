// SPDX-License-Identifier: Apache-2.0
/** The first commands on a connection: server, owner of the data, incarnation and epoch. */
@NullMarked
package io.keyslot.client.partition.redis.handshake;

import org.jspecify.annotations.NullMarked;
