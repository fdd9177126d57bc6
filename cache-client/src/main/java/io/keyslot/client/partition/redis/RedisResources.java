// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.config.ConfigurationException;
import io.keyslot.client.config.TlsOptions;
import io.lettuce.core.LettuceVersion;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.resource.ClientResources;
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
import io.netty.util.Version;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The threads that all connections of a provider share. They are daemons; their names start with {@code keyslot-redis}.
 *
 * <p>Close it after the connectors that use it. The threads run until those have ended.
 */
public final class RedisResources implements AutoCloseable {
    private static final String THREADS = "keyslot-redis-";
    private static final long SHUTDOWN_TIMEOUT_MILLIS = 2_000;

    /** For the timeouts of handshakes only. Lettuce requires at least two. */
    private static final int TIMER_THREADS = 2;

    /** The artifacts of Netty that Lettuce uses; others have versions of their own. */
    private static final Set<String> NETTY_ARTIFACTS = Set.of(
            "netty-buffer",
            "netty-codec",
            "netty-codec-base",
            "netty-codec-dns",
            "netty-common",
            "netty-handler",
            "netty-resolver",
            "netty-resolver-dns",
            "netty-transport");

    private final ClientResources lettuce;
    private final EventLoops eventLoops;
    private final AddressResolverGroup<InetSocketAddress> names;
    private final Ticker ticker;
    private final Map<Object, CompletableFuture<?>> clients = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable CompletableFuture<Void>> closed = new AtomicReference<>();

    private RedisResources(
            ClientResources lettuce,
            EventLoops eventLoops,
            AddressResolverGroup<InetSocketAddress> names,
            Ticker ticker) {
        this.lettuce = lettuce;
        this.eventLoops = eventLoops;
        this.names = names;
        this.ticker = ticker;
    }

    /** Creates the resources with a monotonic clock in nanoseconds. Threads start when they are needed. */
    public static RedisResources create(Ticker ticker) {
        return create(ticker, DnsServerAddressStreamProviders.platformDefault());
    }

    /**
     * Creates the resources with name servers that are queried at each connect and every few seconds while connected,
     * because a managed service changes the address of a name at a failover.
     */
    public static RedisResources create(Ticker ticker, DnsServerAddressStreamProvider nameServers) {
        checkLibraries();
        ThreadFactoryProvider threads = pool -> new DefaultThreadFactory(THREADS + pool, true);
        EventLoops eventLoops = new EventLoops(ioThreads(), threads);
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
                        eventLoops.use(channel.eventLoop());
                        addHandlers(channel);
                    }
                })
                .build();
        return new RedisResources(lettuce, eventLoops, names, ticker);
    }

    /**
     * Throws {@link ConfigurationException} if the versions of Lettuce and Netty do not fit together, as a build tool may
     * select them. Otherwise each connect would fail later, with a class or method that is missing.
     */
    private static void checkLibraries() {
        Map<String, String> versions = new TreeMap<>();
        Version.identify().forEach((artifact, version) -> {
            if (NETTY_ARTIFACTS.contains(artifact)) {
                versions.put(artifact, version.artifactVersion());
            }
        });
        Set<String> lines = versions.values().stream()
                .map(version -> version.replaceFirst("^(\\d+\\.\\d+).*", "$1"))
                .collect(Collectors.toSet());
        if (lines.size() > 1) {
            throw unsupported("artifacts of several versions of Netty: " + versions, null);
        }
        try {
            Class<?> unused = Transports.eventLoopGroupClass();
            Object unusedOptions = LettuceOptions.of(Duration.ofSeconds(1), TlsOptions.defaults());
        } catch (LinkageError e) {
            throw unsupported(
                    "Lettuce %s with Netty %s, without %s"
                            .formatted(LettuceVersion.getVersion(), String.join(", ", lines), e.getMessage()),
                    e);
        }
    }

    private static ConfigurationException unsupported(String found, @Nullable LinkageError cause) {
        return new ConfigurationException(
                "The class path has %s. Select Lettuce 7 with Netty 4.2, or Lettuce 6.8 with Netty 4.1, all artifacts of Netty in the same version; mvn dependency:tree and gradle dependencies show what selects them"
                        .formatted(found),
                cause);
    }

    /** Without a cache, neither of addresses nor of unknown names: a query costs less than a connect. */
    private static AddressResolverGroup<InetSocketAddress> resolver(DnsServerAddressStreamProvider nameServers) {
        return new DnsAddressResolverGroup(new DnsNameResolverBuilder()
                .datagramChannelType(Transports.datagramChannelClass())
                .socketChannelType(Transports.socketChannelClass().asSubclass(SocketChannel.class))
                .resolveCache(NoopDnsCache.INSTANCE)
                .cnameCache(NoopDnsCnameCache.INSTANCE)
                .nameServerProvider(nameServers));
    }

    /** Half of the processors; callers need the rest. One may be enough: it wakes up less often than two would. */
    private static int ioThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    private static void addHandlers(Channel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        String decoder = pipeline.context(CommandHandler.class).name();
        pipeline.addBefore(decoder, "keyslot-reply-bounds", new ReplyBounds());
        pipeline.addLast("keyslot-gate", new RouteVersionGuard(channel.eventLoop()));
    }

    ClientResources lettuce() {
        return lettuce;
    }

    EventLoops eventLoops() {
        return eventLoops;
    }

    Ticker ticker() {
        return ticker;
    }

    ScheduledFuture<?> schedule(Runnable task, long delayMillis) {
        return lettuce.eventExecutorGroup().schedule(task, delayMillis, TimeUnit.MILLISECONDS);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The listener handles both outcomes.
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

    /** Keeps the threads running until the future of a client is done; after {@link #close}, for a limited time. */
    @SuppressWarnings("FutureReturnValueIgnored") // The map does not fail.
    void keepFor(Object client, CompletableFuture<?> clientEnded) {
        clients.put(client, clientEnded);
        clientEnded.whenComplete((done, failure) -> clients.remove(client));
    }

    /** Ends the threads. The future completes when they are idle. Idempotent. */
    @SuppressWarnings("FutureReturnValueIgnored") // The returned future reports everything.
    public CompletableFuture<Void> closeAsync() {
        CompletableFuture<Void> closing = new CompletableFuture<>();
        CompletableFuture<Void> before = closed.compareAndExchange(null, closing);
        if (before != null) {
            return before;
        }
        // A client needs these threads to shut down and to release the event loops, which would otherwise stay forever.
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

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It cannot fail.
    public void close() {
        closeAsync();
    }
}
