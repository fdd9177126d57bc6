// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

/** No command is timed. */
final class Timeouts {
    void watch(RoutedCommand<?, ?> command) {}

    <R> CompletableFuture<R> limited(RoutedCommand<?, ?> first, CompletableFuture<R> following, R late) {
        return following;
    }

    boolean isOver(RoutedCommand<?, ?> first) {
        return false;
    }
}
