// SPDX-License-Identifier: Apache-2.0
/**
 * Partitions on Redis and Valkey, over Lettuce. The only package that knows Lettuce and Netty.
 *
 * <p>Start with {@code RedisConnector}; on the way of a command through a connection come {@code RedisOperations},
 * {@code CommandWriter}, {@code RouteVersionGuard} and {@code RoutedCommand}.
 */
@NullMarked
package io.keyslot.client.partition.redis;

import org.jspecify.annotations.NullMarked;
