// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the resources that a server's replies can consume, by parsing their headers ahead of the decoder.
 * <ul>
 *   <li>The decoder allocates as many elements as a header announces. A header with more elements than any valid reply,
 *       an endless reply, or an endless line closes the channel before anything is allocated.
 *   <li>One event loop reads for several partitions. After {@value #MOST_PUSHES} pushes in a turn, this channel is not
 *       read for {@value #REST_MILLIS} ms, and for at least {@value #REST} times as long as they have taken. As many
 *       before the first reply close the channel.
 *   <li>A failed read closes the channel: Lettuce would go on, and all replies could be shifted by one command.
 * </ul>
 *
 * <p>Belongs to one channel, and is confined to its event loop. Source: the RESP3 specification.
 */
final class ReplyBounds extends ChannelInboundHandlerAdapter {
    /** The maximal number of elements, nested ones included. Valid replies have some ten thousand at most. */
    static final int MOST_ELEMENTS = 1 << 20;

    /** The largest string that a server stores. */
    static final int MOST_BYTES = 512 << 20;

    /** The longest line, such as an error. */
    static final int LONGEST_LINE = 64 << 10;

    static final int MOST_PUSHES = 1_000;
    static final int REST_MILLIS = 5;
    static final int REST = 4;

    private static final int NO_TYPE = -1;

    private long bytesLeft; // of a string, its line end included
    private int type = NO_TYPE;
    private long number;
    private boolean isNegative;
    private int length; // of the line so far
    private long elementsLeft; // of the reply
    private long elements; // of the reply so far
    private int pushes;
    private boolean hasReplied;

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It ends with the channel.
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof ByteBuf bytes && !isWithinBounds(bytes)) {
            ReferenceCountUtil.release(message);
            close(ctx);
            return;
        }
        if (pushes <= MOST_PUSHES) {
            ctx.fireChannelRead(message);
            return;
        }
        pushes = 0;
        Ticker ticker = ctx.executor().ticker();
        long begun = ticker.nanoTime();
        ctx.fireChannelRead(message);
        long rest = Math.max(TimeUnit.MILLISECONDS.toNanos(REST_MILLIS), REST * (ticker.nanoTime() - begun));
        ctx.channel().config().setAutoRead(false);
        ctx.executor().schedule(() -> ctx.channel().config().setAutoRead(true), rest, TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        pushes = hasReplied ? 0 : pushes;
        ctx.fireChannelReadComplete();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        close(ctx);
        ctx.fireExceptionCaught(cause);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The guard reports the loss.
    private static void close(ChannelHandlerContext ctx) {
        ctx.close();
    }

    private boolean isWithinBounds(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at < end) {
            if (bytesLeft > 0) {
                int skipped = (int) Math.min(bytesLeft, end - at);
                bytesLeft -= skipped;
                at += skipped;
                continue;
            }
            byte next = bytes.getByte(at++);
            if (type == NO_TYPE) {
                type = next;
                number = 0;
                isNegative = false;
                length = 0;
            } else if (next == '\n') {
                if (!endsElement()) {
                    return false;
                }
                type = NO_TYPE;
            } else {
                if (next == '-') {
                    isNegative = true;
                } else if (next >= '0' && next <= '9' && number <= Integer.MAX_VALUE) {
                    number = number * 10 + next - '0';
                }
                if (++length > LONGEST_LINE) {
                    return false;
                }
            }
        }
        return hasReplied || pushes <= MOST_PUSHES;
    }

    private boolean endsElement() {
        if (elementsLeft == 0) {
            elements = 0;
            if (type == '>') {
                pushes++;
            } else {
                hasReplied = true;
            }
        } else {
            elementsLeft--;
        }
        long announced = isNegative ? 0 : number;
        switch (type) {
            case '$', '=', '!' -> {
                bytesLeft = isNegative ? 0 : announced + 2;
                announced = 0;
                if (bytesLeft > MOST_BYTES) {
                    return false;
                }
            }
            case '*', '~', '>' -> {}
            case '%' -> announced *= 2;
            case '|' -> announced = 2 * announced + 1; // the described element follows
            default -> announced = 0;
        }
        elements += announced;
        elementsLeft += announced;
        return elements <= MOST_ELEMENTS;
    }
}
