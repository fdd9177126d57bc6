// SPDX-License-Identifier: Apache-2.0
/** What is agreed with a server before the first command: who it is, whose data it has, and in which life it is. */
@NullMarked
package io.keyslot.client.partition.redis.handshake;

import org.jspecify.annotations.NullMarked;
