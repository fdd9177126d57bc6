// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.Refusal;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.CommandWrapper;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The last place where a command can still be held back: the handler of a channel that is nearest the application.
 *
 * <ul>
 *   <li>Nothing routed passes before the gate was opened, which is after the handshake.
 *   <li>A command that was routed by an older slot map than the announced one does not pass. The announcement goes
 *       through the same gate: on the wire everything before it was routed by an older map, and everything after it by
 *       this one or a newer.
 *   <li>Its state belongs to the channel's event loop; {@link #lost} and {@link #eventLoop} may be used by any thread.
 * </ul>
 *
 * <p>A thread that looks up a route, is paused for a minute and then sends is caught here. No lease could do that.
 */
public final class RouteVersionGuard extends ChannelDuplexHandler {
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private final EventLoop eventLoop;
    private @Nullable ChannelHandlerContext context;
    private boolean open;
    private long announced;
    private volatile boolean shut;

    public RouteVersionGuard(EventLoop eventLoop) {
        this.eventLoop = eventLoop;
    }

    /** Returns the event loop that everything here runs in. */
    public EventLoop eventLoop() {
        return eventLoop;
    }

    /** Lets commands pass that were routed by this map or a newer one. */
    void open(long mapVersion) {
        open = true;
        announced = mapVersion;
    }

    /** Holds back what was routed by an older map from now on. */
    void announce(long mapVersion) {
        announced = Math.max(announced, mapVersion);
    }

    /** Returns whether a command may pass that was routed by this map; it is refused if not. */
    public boolean admits(RoutedCommand<?, ?> command) {
        if (shut || context == null || !context.channel().isActive()) {
            command.refuse(Refusal.UNAVAILABLE, "the connection was lost before the command was sent");
        } else if (!open) {
            command.refuse(Refusal.UNAVAILABLE, "the handshake is not over");
        } else if (command.mapVersion() < announced) {
            command.refuse(
                    Refusal.STALE_ROUTE,
                    "routed by version %d of the slot map, announced is %d".formatted(command.mapVersion(), announced));
        }
        return !command.isDone();
    }

    /**
     * Returns what was written and is not answered, the next to be answered first: Lettuce's own, from which it takes what it
     * has read the answer to. Called in the event loop.
     */
    Queue<RedisCommand<?, ?, ?>> unanswered() {
        ChannelHandlerContext ctx = context;
        CommandHandler handler = ctx == null ? null : ctx.pipeline().get(CommandHandler.class);
        return handler == null ? new ArrayDeque<>() : handler.getStack();
    }

    /** Returns a future that completes when the channel was closed, by whomever. */
    public CompletableFuture<Void> lost() {
        return lost;
    }

    /** Lets nothing pass any more; for when the event loop has ended, and any thread asks. */
    void shut() {
        shut = true;
    }

    /**
     * Writes what passes, in one go, and takes the others out of the list, which is the gate's from now on. Called in the event
     * loop, or when it has ended.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // It never completes: who fails closes the channel.
    void send(List<? extends Gated> commands) {
        commands.removeIf(command -> !command.passes(this));
        ChannelHandlerContext ctx = context;
        if (ctx != null && !commands.isEmpty()) {
            // A write that fails closes the channel, and that answers every command: nobody has to look at a promise.
            ctx.writeAndFlush(commands, ctx.voidPromise());
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof Collection<?> several) {
            List<?> admitted = several.stream().filter(this::passes).toList();
            writeUnless(admitted.isEmpty(), ctx, admitted, promise);
        } else {
            writeUnless(!passes(message), ctx, message, promise);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // It is the promise that the caller already has.
    private static void writeUnless(
            boolean refused, ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (refused) {
            promise.trySuccess();
        } else {
            ctx.write(message, promise);
        }
    }

    private boolean passes(Object message) {
        // Lettuce wraps commands if it measures or traces them, which we have switched off. The gate does not rely on
        // it.
        Object innermost = message instanceof RedisCommand<?, ?, ?> command && !(message instanceof Gated)
                ? CommandWrapper.unwrap(command)
                : message;
        return !(innermost instanceof Gated gated) || gated.passes(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        // Lettuce's handlers come first, so that every command was answered before the loss is told.
        ctx.fireChannelInactive();
        lost.complete(null);
    }
}
