// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.Client;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.Closing;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationLoader;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Supplier;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * The JCache provider. {@code Caching.getCachingProvider()} finds it by {@code META-INF/services}.
 *
 * <p>There is one manager for each URI and class loader. A URI of the form {@code file:…} or {@code classpath:…} names the
 * configuration; any other is only a name, and the configuration is {@code keyslot.yaml} on the class path, or the embedded
 * engine if there is none. Properties of the manager override the file. {@code docs/configuration.md} has all of it.
 *
 * <p>Safe for use by several threads.
 */
public final class KeyslotCachingProvider implements CachingProvider {
    private static final URI DEFAULT_URI = URI.create("keyslot");

    private final Map<ClassLoader, Map<URI, KeyslotCacheManager>> managers = new HashMap<>();
    private final ClientAssembly assembly;

    /** Called by the service loader. */
    public KeyslotCachingProvider() {
        this(new ClientAssembly());
    }

    /**
     * Creates a provider that {@code Caching} does not know, with managers of its own.
     *
     * @param assembly makes what each of them shares among its caches
     */
    public KeyslotCachingProvider(ClientAssembly assembly) {
        this.assembly = assembly;
    }

    @Override
    public CacheManager getCacheManager(
            @Nullable URI uri, @Nullable ClassLoader classLoader, @Nullable Properties properties) {
        URI managerUri = uri == null ? getDefaultURI() : uri;
        ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
        Properties settings = properties == null ? getDefaultProperties() : properties;
        synchronized (managers) {
            KeyslotCacheManager present =
                    managers.getOrDefault(loader, Map.of()).get(managerUri);
            if (present != null && !present.isClosed()) {
                return present;
            }
            KeyslotCacheManager created = create(managerUri, loader, settings);
            managers.computeIfAbsent(loader, same -> new HashMap<>()).put(managerUri, created);
            return created;
        }
    }

    private KeyslotCacheManager create(URI uri, ClassLoader loader, Properties properties) {
        ClientOptions options = ConfigurationLoader.load(uri, getDefaultURI(), loader, properties, System::getenv);
        Client client = assembly.assemble(uri.toString(), options, properties);
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
        closeAll(taken(() -> {
            List<KeyslotCacheManager> all = new ArrayList<>();
            managers.values().forEach(ofLoader -> all.addAll(ofLoader.values()));
            managers.clear();
            return all;
        }));
    }

    @Override
    public void close(@Nullable ClassLoader classLoader) {
        ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
        closeAll(taken(() -> {
            Map<URI, KeyslotCacheManager> ofLoader = managers.remove(loader);
            return ofLoader == null ? List.of() : new ArrayList<>(ofLoader.values());
        }));
    }

    @Override
    public void close(@Nullable URI uri, @Nullable ClassLoader classLoader) {
        URI managerUri = uri == null ? getDefaultURI() : uri;
        ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
        closeAll(taken(() -> {
            KeyslotCacheManager manager =
                    managers.getOrDefault(loader, Map.of()).get(managerUri);
            return manager == null ? List.of() : List.of(manager);
        }));
    }

    private List<KeyslotCacheManager> taken(Supplier<List<KeyslotCacheManager>> taking) {
        synchronized (managers) {
            return taking.get();
        }
    }

    /** Outside the lock: closing a manager closes the application's customisations, and forgets itself here. */
    private static void closeAll(List<KeyslotCacheManager> closing) {
        Closing.all(closing.stream().<Runnable>map(manager -> manager::close).toList());
    }

    /** Called by a manager that was closed. */
    void forget(KeyslotCacheManager manager) {
        synchronized (managers) {
            Map<URI, KeyslotCacheManager> ofLoader = managers.get(manager.getClassLoader());
            if (ofLoader != null && ofLoader.remove(manager.getURI(), manager) && ofLoader.isEmpty()) {
                managers.remove(manager.getClassLoader());
            }
        }
    }

    @Override
    public boolean isSupported(OptionalFeature feature) {
        // Only STORE_BY_REFERENCE is optional, and an entry that lives elsewhere cannot be a reference.
        return false;
    }
}
