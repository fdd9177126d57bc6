// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** A group of event loops that callers drive, over NIO. */
final class DrivenEventLoopGroup extends MultiThreadIoEventLoopGroup {
    DrivenEventLoopGroup(int loops, ThreadFactory residents) {
        super(loops, residents, NioIoHandler.newFactory());
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory unused, Object... none) {
        return new DrivenEventLoop(this, executor);
    }
}
