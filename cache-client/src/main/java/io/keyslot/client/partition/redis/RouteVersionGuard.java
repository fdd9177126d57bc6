// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Refusal;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.CommandWrapper;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The last place where a command can be held back: the channel handler nearest the application.
 * <ul>
 *   <li>No routed command passes before the guard was opened, after the handshake.
 *   <li>A command with a route older than the announced slot map does not pass. The announcement passes through the
 *       same guard, so everything before it on the wire has an older route, and everything after it this one or a
 *       newer.
 *   <li>Its state is confined to the channel's event loop; {@link #lost} and {@link #eventLoop} are thread-safe.
 * </ul>
 *
 * <p>A thread that looks up a route, pauses for a minute and then sends is stopped here. A lease could not do that.
 */
final class RouteVersionGuard extends ChannelDuplexHandler {
    /** A command that passes the route version guard. */
    interface Gated extends WriteQueue.Outgoing {
        /**
         * Returns whether it may be written; if not, it has completed its reply. Called in the connection's event loop.
         */
        boolean passes(RouteVersionGuard versionGuard);

        @Override
        default void addTo(List<Gated> commands) {
            commands.add(this);
        }
    }

    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private final EventLoop eventLoop;
    private @Nullable ChannelHandlerContext context;
    private boolean open;
    private long announced;
    private volatile boolean shut;

    RouteVersionGuard(EventLoop eventLoop) {
        this.eventLoop = eventLoop;
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    /** Opens the guard for commands with a route of this version or newer. */
    void open(long mapVersion) {
        open = true;
        announced = mapVersion;
    }

    /** Holds back commands with an older route from now on. */
    void announce(long mapVersion) {
        announced = Math.max(announced, mapVersion);
    }

    /** Returns whether a command may pass; refuses it otherwise. */
    boolean admits(RoutedCommand<?, ?> command) {
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

    /** Returns a future that completes when the channel is closed for any reason. */
    CompletableFuture<Void> lost() {
        return lost;
    }

    /** Refuses everything from now on, after the event loop has ended and from any thread. */
    void shut() {
        shut = true;
    }

    /** Writes the commands that pass; owns the list. Called in the event loop, or after it has ended. */
    @SuppressWarnings("FutureReturnValueIgnored") // It never completes: a failure closes the channel.
    void send(List<? extends Gated> commands) {
        commands.removeIf(command -> !command.passes(this));
        ChannelHandlerContext ctx = context;
        if (ctx != null && !commands.isEmpty()) {
            // A failed write closes the channel, which completes every command, so no promise is needed.
            ctx.writeAndFlush(commands, ctx.voidPromise());
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It is the promise that the caller already has.
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof Gated gated && !gated.passes(this)) {
            promise.trySuccess();
        } else {
            ctx.write(message, promise);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        // Lettuce's handlers run first, so that every command is completed before the loss is reported.
        ctx.fireChannelInactive();
        lost.complete(null);
    }

    /** Opens the guard after the handshake. Never written; only commands reach the handlers of Lettuce's channel. */
    static final class Opening extends Command<byte[], byte[], String> implements Gated {
        private final long mapVersion;
        private final CompletableFuture<RouteVersionGuard> opened = new CompletableFuture<>();

        Opening(long mapVersion) {
            super(CommandType.PING, new StatusOutput<>(ByteArrayCodec.INSTANCE));
            this.mapVersion = mapVersion;
        }

        /** Returns a future that completes in the channel's event loop. */
        CompletableFuture<RouteVersionGuard> opened() {
            return opened;
        }

        @Override
        public boolean passes(RouteVersionGuard versionGuard) {
            versionGuard.open(mapVersion);
            complete();
            opened.complete(versionGuard);
            return false;
        }

        @Override
        public boolean completeExceptionally(@Nullable Throwable cause) {
            opened.completeExceptionally(cause == null ? new IllegalStateException("no cause") : cause);
            return true;
        }
    }

    /** The command that announces the slot map of this connection, and updates the route version guard. */
    static final class Announcement extends CommandWrapper<byte[], byte[], String> implements Gated {
        private final RoutedCommand<String, Boolean> setName;

        Announcement(RoutedCommand<String, Boolean> setName) {
            super(setName);
            this.setName = setName;
        }

        /** Refuses an announcement that is older than the current one, like any command with an outdated route. */
        @Override
        public boolean passes(RouteVersionGuard versionGuard) {
            versionGuard.announce(setName.mapVersion());
            return setName.passes(versionGuard);
        }
    }
}
