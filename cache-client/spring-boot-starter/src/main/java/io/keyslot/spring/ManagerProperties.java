// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.access.CredentialsProvider;
import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;

/** Collects the properties of a cache manager. For one use. */
final class ManagerProperties {
    private static final String PARTITIONS = "keyslot.partitions";

    private final SettingsReader settings;
    private final Properties properties = new Properties();
    private final List<String> addresses = new ArrayList<>();
    private @Nullable SslBundle bundle;

    ManagerProperties(Environment environment) {
        this.settings = new SettingsReader(environment);
        properties.put(ConfigurationLoader.SETTINGS, settings.read());
        settings.own("config").ifPresent(config -> properties.put("keyslot.config", config));
    }

    void connect(KeyslotConnectionDetails details) {
        addresses.addAll(details.uris());
        properties.put(PARTITIONS, String.join(",", addresses));
        bundle = bundle == null ? details.sslBundle() : bundle;
    }

    /** Uses the SSL bundle that the details or the environment name; a named bundle may be reloaded. */
    void encrypt(@Nullable SslBundles bundles) {
        String name = settings.own("ssl.bundle").orElse(null);
        if (bundle != null) {
            properties.put(ConfigurationLoader.TLS, new ReloadedTls(bundle).options());
        } else if (bundles != null && name != null) {
            ReloadedTls tls = new ReloadedTls(bundles.getBundle(name));
            bundles.addBundleUpdateHandler(name, tls::update);
            properties.put(ConfigurationLoader.TLS, tls.options());
        }
    }

    /** Allows values of the application's own packages, except of a package that others share, such as {@code com}. */
    void allow(List<String> packages) {
        properties.put(
                ConfigurationLoader.ALLOW,
                packages.stream()
                        .filter(name -> name.contains("."))
                        .map(name -> name + ".**")
                        .toList());
    }

    void logIn(@Nullable CredentialsProvider credentials) {
        if (credentials != null) {
            properties.put(ConfigurationLoader.CREDENTIALS, credentials);
        }
    }

    void customize(KeyslotCustomizer customizer) {
        customizer.customize(properties);
    }

    /** Uses a new provider, because each context of this process has its own manager, whatever their names. */
    PartitionedCacheManager start(@Nullable ClassLoader loader) {
        return new KeyslotCachingProvider()
                .getCacheManager(null, loader, properties)
                .unwrap(PartitionedCacheManager.class);
    }
}
