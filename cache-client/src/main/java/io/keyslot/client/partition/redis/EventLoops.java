// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.IOUringProvider;
import io.lettuce.core.resource.KqueueProvider;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Provides event loops that callers drive, or Lettuce's with Netty 4.1 (closed classes) or a native transport. Knows
 * which of them have or had channels.
 */
final class EventLoops extends DefaultEventLoopGroupProvider {
    /** A name, because Netty 4.1 lacks the class. */
    private static final String NETTY_4_2_GROUP = "io.netty.channel.MultiThreadIoEventLoopGroup";

    private final Set<EventLoop> used = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> oneUsed = new CompletableFuture<>();

    EventLoops(int loops, io.lettuce.core.resource.ThreadFactoryProvider threads) {
        super(loops, threads);
    }

    @Override
    protected <T extends EventLoopGroup> EventExecutorGroup doCreateEventLoopGroup(
            Class<T> type, int loops, io.lettuce.core.resource.ThreadFactoryProvider threads) {
        return type.getName().equals(NETTY_4_2_GROUP) && !isNative()
                ? new DrivenEventLoop.Group(loops, threads.getThreadFactory("nio"))
                : super.doCreateEventLoopGroup(type, loops, threads);
    }

    /** Called for each new channel. */
    void use(EventLoop loop) {
        used.add(loop);
        oneUsed.complete(null);
    }

    /** Completes when all used event loops, at least one, have run a task. So late answers are not theirs to read. */
    CompletableFuture<Void> turn() {
        return oneUsed.thenCompose(known -> CompletableFuture.allOf(used.stream()
                .map(loop -> CompletableFuture.runAsync(() -> {}, loop))
                .toArray(CompletableFuture[]::new)));
    }

    private static boolean isNative() {
        return EpollProvider.isAvailable() || KqueueProvider.isAvailable() || IOUringProvider.isAvailable();
    }
}
