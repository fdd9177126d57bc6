// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.Client;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.jcache.ManagerStarts.ManagerStart;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
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

    private final ManagerStarts starts = new ManagerStarts();
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
        ManagerStart mine = new ManagerStart();
        ManagerStart start = starts.startOf(managerUri, loader, mine);
        return start == mine ? started(mine, managerUri, loader, settings) : awaited(start);
    }

    private CacheManager started(ManagerStart mine, URI uri, ClassLoader loader, Properties settings) {
        try {
            KeyslotCacheManager created = create(uri, loader, settings);
            mine.succeed(created);
            return created;
        } catch (RuntimeException | Error e) {
            starts.forget(uri, loader, mine);
            mine.fail(e);
            throw e;
        }
    }

    private CacheManager awaited(ManagerStart start) {
        start.requireOtherThread();
        ManagerStart.Outcome outcome = start.outcome().getNow(null);
        while (outcome == null) {
            Optional<ManagerStart.Outcome> known =
                    assembly.waiter().awaitClose(start.outcome().thenApply(Optional::of), TURN, Optional::empty);
            outcome = known.orElse(null);
            if (outcome == null && Thread.currentThread().isInterrupted()) {
                throw new CacheException("The thread was interrupted while another one started the same cache manager");
            }
        }
        return outcome.orThrow();
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
        closeAll(starts.takeAll());
    }

    @Override
    public void close(@Nullable ClassLoader classLoader) {
        closeAll(starts.takeAll(classLoader == null ? getDefaultClassLoader() : classLoader));
    }

    @Override
    public void close(@Nullable URI uri, @Nullable ClassLoader classLoader) {
        URI managerUri = uri == null ? getDefaultURI() : uri;
        ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
        closeAll(starts.take(managerUri, loader));
    }

    /** Closes managers; must be called without the lock, as it calls code of the application, and {@link #forget}. */
    private static void closeAll(List<ManagerStart> closing) {
        Closing.all(closing.stream().<Runnable>map(start -> start::close).toList());
    }

    void forget(KeyslotCacheManager manager) {
        starts.forget(manager);
    }

    @Override
    public boolean isSupported(OptionalFeature feature) {
        // The only optional feature is STORE_BY_REFERENCE, and stored entries cannot be references.
        return false;
    }
}
