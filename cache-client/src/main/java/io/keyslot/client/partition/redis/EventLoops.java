// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.IOUringProvider;
import io.lettuce.core.resource.KqueueProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutorGroup;

/** Provides event loops that callers drive, or Lettuce's with Netty 4.1 (closed classes) or a native transport. */
final class EventLoops extends DefaultEventLoopGroupProvider {
    /** A name, because Netty 4.1 lacks the class. */
    private static final String NETTY_4_2_GROUP = "io.netty.channel.MultiThreadIoEventLoopGroup";

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

    private static boolean isNative() {
        return EpollProvider.isAvailable() || KqueueProvider.isAvailable() || IOUringProvider.isAvailable();
    }
}
