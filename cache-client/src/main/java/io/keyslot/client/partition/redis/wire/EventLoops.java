// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.IOUringProvider;
import io.lettuce.core.resource.KqueueProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutorGroup;

/**
 * Gives Lettuce event loops that callers drive, or else its own: with Netty 4.1, whose event loops are closed, and with a
 * native transport, which Lettuce prefers if the application has one.
 */
public final class EventLoops extends DefaultEventLoopGroupProvider {
    /** By its name, as Netty 4.1 has no such class. */
    private static final String NETTY_4_2_GROUP = "io.netty.channel.MultiThreadIoEventLoopGroup";

    /** @param loops how many there are of each kind */
    public EventLoops(int loops, io.lettuce.core.resource.ThreadFactoryProvider threads) {
        super(loops, threads);
    }

    @Override
    protected <T extends EventLoopGroup> EventExecutorGroup doCreateEventLoopGroup(
            Class<T> type, int loops, io.lettuce.core.resource.ThreadFactoryProvider threads) {
        return type.getName().equals(NETTY_4_2_GROUP) && !isNative()
                ? new DrivenEventLoopGroup(loops, threads.getThreadFactory("nio"))
                : super.doCreateEventLoopGroup(type, loops, threads);
    }

    private static boolean isNative() {
        return EpollProvider.isAvailable() || KqueueProvider.isAvailable() || IOUringProvider.isAvailable();
    }
}
