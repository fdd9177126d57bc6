// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The threads that all connections of a provider share. They are daemons; their names start with {@code keyslot-redis}.
 *
 * <p>To be closed after the connectors that use it.
 */
public final class RedisResources implements AutoCloseable {
    private static final String THREADS = "keyslot-redis-";
    private static final long SHUTDOWN_TIMEOUT_MILLIS = 2_000;

    /** For time limits of handshakes and for nothing else; Lettuce takes no fewer. */
    private static final int TIMER_THREADS = 2;

    private final ClientResources lettuce;
    private final LongSupplier nanoTime;

    private RedisResources(ClientResources lettuce, LongSupplier nanoTime) {
        this.lettuce = lettuce;
        this.nanoTime = nanoTime;
    }

    /**
     * Creates the resources. Threads start when they are needed.
     *
     * @param nanoTime the time in nanoseconds since some moment, never going back
     */
    public static RedisResources create(LongSupplier nanoTime) {
        ClientResources lettuce = ClientResources.builder()
                .threadFactoryProvider(pool -> new DefaultThreadFactory(THREADS + pool, true))
                .computationThreadPoolSize(TIMER_THREADS)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        addHandlers(channel);
                    }
                })
                .build();
        return new RedisResources(lettuce, nanoTime);
    }

    private static void addHandlers(Channel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addBefore(pipeline.context(CommandHandler.class).name(), "keyslot-fail-fast", new FailFast());
        pipeline.addLast("keyslot-gate", new Gate(channel.eventLoop()));
    }

    ClientResources lettuce() {
        return lettuce;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    ScheduledFuture<?> schedule(Runnable task, long delayMillis) {
        return lettuce.eventExecutorGroup().schedule(task, delayMillis, TimeUnit.MILLISECONDS);
    }

    /** Ends the threads. The future completes when they have nothing to do any more. Does nothing the second time. */
    public CompletableFuture<Void> closeAsync() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        lettuce.shutdown(0, SHUTDOWN_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).addListener(done -> closed.complete(null));
        return closed;
    }

    /** Starts {@link #closeAsync} and does not wait for it. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It cannot fail.
    public void close() {
        closeAsync();
    }
}
