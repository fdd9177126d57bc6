// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.redis.wire.EventLoops;
import io.keyslot.client.partition.redis.wire.FailFast;
import io.keyslot.client.partition.redis.wire.ReplyBounds;
import io.keyslot.client.partition.redis.wire.RouteVersionGuard;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.resource.ThreadFactoryProvider;
import io.lettuce.core.resource.Transports;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that all connections of a provider share. They are daemons; their names start with {@code keyslot-redis}.
 *
 * <p>To be closed after the connectors that use it. The threads go on until these have ended.
 */
public final class RedisResources implements AutoCloseable {
    private static final String THREADS = "keyslot-redis-";
    private static final long SHUTDOWN_TIMEOUT_MILLIS = 2_000;

    /** For time limits of handshakes and for nothing else; Lettuce takes no fewer. */
    private static final int TIMER_THREADS = 2;

    private final ClientResources lettuce;
    private final EventLoopGroupProvider eventLoops;
    private final AddressResolverGroup<InetSocketAddress> names;
    private final LongSupplier nanoTime;
    private final Map<Object, CompletableFuture<?>> clients = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable CompletableFuture<Void>> closed = new AtomicReference<>();

    private RedisResources(
            ClientResources lettuce,
            EventLoopGroupProvider eventLoops,
            AddressResolverGroup<InetSocketAddress> names,
            LongSupplier nanoTime) {
        this.lettuce = lettuce;
        this.eventLoops = eventLoops;
        this.names = names;
        this.nanoTime = nanoTime;
    }

    /**
     * Creates the resources. Threads start when they are needed.
     *
     * @param nanoTime the time in nanoseconds since some moment, never going back
     */
    public static RedisResources create(LongSupplier nanoTime) {
        return create(nanoTime, DnsServerAddressStreamProviders.platformDefault());
    }

    /**
     * As above, with other name servers than those of the machine.
     *
     * @param nameServers asked at each connect and every few seconds of a connection's life: after a failover of a managed
     *     service the name of a server leads elsewhere
     */
    public static RedisResources create(LongSupplier nanoTime, DnsServerAddressStreamProvider nameServers) {
        ThreadFactoryProvider threads = pool -> new DefaultThreadFactory(THREADS + pool, true);
        EventLoopGroupProvider eventLoops = new EventLoops(ioThreads(), threads);
        AddressResolverGroup<InetSocketAddress> names = resolver(nameServers);
        ClientResources lettuce = ClientResources.builder()
                .threadFactoryProvider(threads)
                .eventLoopGroupProvider(eventLoops)
                .computationThreadPoolSize(TIMER_THREADS)
                .addressResolverGroup(names)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        addHandlers(channel);
                    }
                })
                .build();
        return new RedisResources(lettuce, eventLoops, names, nanoTime);
    }

    /** Without a cache: neither of answers nor of names that are not known. A question costs less than a connect does. */
    private static AddressResolverGroup<InetSocketAddress> resolver(DnsServerAddressStreamProvider nameServers) {
        return new DnsAddressResolverGroup(new DnsNameResolverBuilder()
                .datagramChannelType(Transports.datagramChannelClass())
                .socketChannelType(Transports.socketChannelClass().asSubclass(SocketChannel.class))
                .resolveCache(NoopDnsCache.INSTANCE)
                .cnameCache(NoopDnsCnameCache.INSTANCE)
                .nameServerProvider(nameServers));
    }

    /**
     * Half of the processors, as the callers need the other half. Lettuce takes no fewer than two by itself; but one thread
     * that serves all partitions wakes up less often, and finds more to do when it does.
     */
    private static int ioThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    private static void addHandlers(Channel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        String decoder = pipeline.context(CommandHandler.class).name();
        pipeline.addBefore(decoder, "keyslot-reply-bounds", new ReplyBounds());
        pipeline.addBefore(decoder, "keyslot-fail-fast", new FailFast());
        pipeline.addLast("keyslot-gate", new RouteVersionGuard(channel.eventLoop()));
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

    /** Returns the addresses to which a name leads now; the future fails if it cannot be resolved. */
    @SuppressWarnings("FutureReturnValueIgnored") // The listener is told of both outcomes.
    CompletableFuture<List<InetSocketAddress>> resolve(InetSocketAddress name, EventLoop eventLoop) {
        CompletableFuture<List<InetSocketAddress>> addresses = new CompletableFuture<>();
        names.getResolver(eventLoop).resolveAll(name).addListener((Future<List<InetSocketAddress>> found) -> {
            if (found.isSuccess()) {
                addresses.complete(found.getNow());
            } else {
                addresses.completeExceptionally(found.cause());
            }
        });
        return addresses;
    }

    /** Lets the threads go on, after {@link #close} for a limited time, until the future of a client is done. */
    @SuppressWarnings("FutureReturnValueIgnored") // The map does not fail.
    void keepFor(Object client, CompletableFuture<?> clientEnded) {
        clients.put(client, clientEnded);
        clientEnded.whenComplete((done, failure) -> clients.remove(client));
    }

    /** Ends the threads. The future completes when they have nothing to do any more. Does nothing the second time. */
    @SuppressWarnings("FutureReturnValueIgnored") // The returned future tells everything.
    public CompletableFuture<Void> closeAsync() {
        CompletableFuture<Void> closing = new CompletableFuture<>();
        CompletableFuture<Void> before = closed.compareAndExchange(null, closing);
        if (before != null) {
            return before;
        }
        // A client needs these threads to end, and to let go of the event loops. Without that they would stay for ever.
        CompletableFuture<Void> ended = CompletableFuture.allOf(clients.values().toArray(CompletableFuture[]::new));
        ScheduledFuture<?> limit = schedule(() -> ended.complete(null), SHUTDOWN_TIMEOUT_MILLIS);
        ended.whenComplete((done, failure) -> {
            limit.cancel(false);
            lettuce.shutdown(0, SHUTDOWN_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                    .addListener(over -> eventLoops
                            .shutdown(0, SHUTDOWN_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                            .addListener(alsoOver -> closing.complete(null)));
        });
        return closing;
    }

    /** Starts {@link #closeAsync} and does not wait for it. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It cannot fail.
    public void close() {
        closeAsync();
    }
}
