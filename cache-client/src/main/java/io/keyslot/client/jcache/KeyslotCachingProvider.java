// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.Client;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationLoader;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * The JCache provider, which {@code Caching.getCachingProvider()} finds by {@code META-INF/services}.
 *
 * <p>There is one manager for each URI and class loader. A URI of the form {@code file:…} or {@code classpath:…} names
 * the configuration. Any other URI is only a name, and the configuration is {@code keyslot.yaml} on the class path, or
 * the embedded engine if there is none. Properties of the manager override the file; see {@code docs/configuration.md}.
 *
 * <p>Thread-safe. A running manager is returned without waiting for managers that other threads start or close. If
 * another thread is starting the requested manager, this waits, and returns the same manager or throws for the same
 * failure.
 */
public final class KeyslotCachingProvider implements CachingProvider {
    private static final URI DEFAULT_URI = URI.create("keyslot");

    /** The interval of checks while another thread starts the same manager; the start itself has a time limit. */
    private static final Duration TURN = Duration.ofMinutes(1);

    private final ConcurrentMap<ManagerName, Start> starts = new ConcurrentHashMap<>();
    private final ClientAssembly assembly;

    /** Called by the service loader. */
    public KeyslotCachingProvider() {
        this(new ClientAssembly());
    }

    /** Creates a provider with managers of its own, which {@code Caching} does not know. */
    public KeyslotCachingProvider(ClientAssembly assembly) {
        this.assembly = assembly;
    }

    @Override
    public CacheManager getCacheManager(
            @Nullable URI uri, @Nullable ClassLoader classLoader, @Nullable Properties properties) {
        URI managerUri = uri == null ? getDefaultURI() : uri;
        ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
        Properties settings = properties == null ? getDefaultProperties() : properties;
        ManagerName name = new ManagerName(managerUri, loader);
        Start mine = new Start();
        Start start = starts.compute(name, (same, present) -> present == null || present.isClosed() ? mine : present);
        return start == mine ? started(mine, name, settings) : awaited(start);
    }

    private CacheManager started(Start mine, ManagerName name, Properties settings) {
        try {
            KeyslotCacheManager created = create(name.uri(), name.loader(), settings);
            mine.manager = created;
            return created;
        } catch (RuntimeException | Error e) {
            starts.remove(name, mine);
            mine.failure = e;
            throw e;
        } finally {
            mine.ended.complete(true);
        }
    }

    private CacheManager awaited(Start start) {
        if (!start.ended.isDone() && start.starter.equals(Thread.currentThread())) {
            throw new IllegalStateException("This thread is starting the same cache manager");
        }
        while (!start.ended.isDone() && !assembly.waiter().awaitClose(start.ended, TURN, () -> false)) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CacheException("The thread was interrupted while another one started the same cache manager");
            }
        }
        KeyslotCacheManager manager = start.manager;
        if (manager == null) {
            // Each waiting thread gets its own exception.
            Throwable failure = Objects.requireNonNull(start.failure);
            throw new CacheException(failure.getMessage(), failure);
        }
        return manager;
    }

    private KeyslotCacheManager create(URI uri, ClassLoader loader, Properties properties) {
        ClientOptions options = ConfigurationLoader.load(uri, getDefaultURI(), loader, properties, System::getenv);
        Client client = assembly.assemble(ClientAssembly.nameOf(uri), options, properties);
        return new KeyslotCacheManager(this, uri, loader, properties, client);
    }

    @Override
    public ClassLoader getDefaultClassLoader() {
        return Objects.requireNonNullElse(
                KeyslotCachingProvider.class.getClassLoader(), ClassLoader.getSystemClassLoader());
    }

    @Override
    public URI getDefaultURI() {
        return DEFAULT_URI;
    }

    @Override
    public Properties getDefaultProperties() {
        return new Properties();
    }

    @Override
    public CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader classLoader) {
        return getCacheManager(uri, classLoader, null);
    }

    @Override
    public CacheManager getCacheManager() {
        return getCacheManager(null, null, null);
    }

    @Override
    public void close() {
        closeAll(name -> true);
    }

    @Override
    public void close(@Nullable ClassLoader classLoader) {
        ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
        closeAll(name -> name.loader().equals(loader));
    }

    @Override
    public void close(@Nullable URI uri, @Nullable ClassLoader classLoader) {
        ManagerName closed = new ManagerName(
                uri == null ? getDefaultURI() : uri, classLoader == null ? getDefaultClassLoader() : classLoader);
        closeAll(closed::equals);
    }

    /** Closes managers, without a lock, as this calls code of the application, and {@link #forget}. */
    private void closeAll(Predicate<ManagerName> which) {
        List<Runnable> closing = new ArrayList<>();
        for (ManagerName name : List.copyOf(starts.keySet())) {
            Start start = which.test(name) ? starts.remove(name) : null;
            if (start != null) {
                closing.add(start::close);
            }
        }
        Closing.all(closing);
    }

    void forget(KeyslotCacheManager manager) {
        Start unused = starts.computeIfPresent(
                new ManagerName(manager.getURI(), manager.getClassLoader()),
                (name, start) -> manager.equals(start.manager) ? null : start);
    }

    @Override
    public boolean isSupported(OptionalFeature feature) {
        // The only optional feature is STORE_BY_REFERENCE, and stored entries cannot be references.
        return false;
    }

    private record ManagerName(URI uri, ClassLoader loader) {}

    /** The start of one manager by one thread, for which others wait. Thread-safe. */
    private static final class Start {
        private final Thread starter = Thread.currentThread();
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
        // Either of them is known when the start has ended.
        private volatile @Nullable KeyslotCacheManager manager;
        private volatile @Nullable Throwable failure;

        /** Returns whether the manager was closed, so that another one may take its place. */
        boolean isClosed() {
            KeyslotCacheManager started = manager;
            return started != null && started.isClosed();
        }

        /** Closes the manager; if it is being started, its starting thread closes it afterwards. */
        void close() {
            KeyslotCacheManager started = manager;
            if (started != null) {
                started.close();
            } else if (!ended.isDone()) {
                CompletableFuture<Void> unused = ended.thenAccept(over -> close());
            }
        }
    }
}
