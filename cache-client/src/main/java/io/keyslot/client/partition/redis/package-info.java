// SPDX-License-Identifier: Apache-2.0
/**
 * Partitions on Redis and Valkey, over Lettuce. No other package uses Lettuce and Netty.
 *
 * <p>Start with {@code RedisConnector}. A command passes through {@code RedisOperations}, {@code CommandWriter},
 * {@code RouteVersionGuard} and {@code RoutedCommand}.
 */
@NullMarked
package io.keyslot.client.partition.redis;

import org.jspecify.annotations.NullMarked;
