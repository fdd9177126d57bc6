// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Closes a channel on which something failed to be read.
 *
 * <p>Lettuce gives such a failure to the oldest command and goes on. If the answer to that command came later, every
 * answer would go to the command after its own.
 */
public final class FailFast extends ChannelInboundHandlerAdapter {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The gate tells the loss.
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
        ctx.fireExceptionCaught(cause);
    }
}
