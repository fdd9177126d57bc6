// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.access.CredentialsProvider;
import io.keyslot.client.config.Access.Login;
import io.keyslot.client.config.ConfigNode.Location;
import io.keyslot.client.config.ConfigNode.Mapping;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the configuration of a cache manager: its file, overridden by its Properties. Named classes must exist.
 *
 * <p>The file is the one named by the manager's URI ({@code file:} or {@code classpath:}), else the one named by the
 * property {@code keyslot.config}, else {@code keyslot.yaml} or {@code keyslot.yml} on the class path. Without file and
 * properties, the defaults apply: three embedded partitions. All problems are reported together, and
 * each is an error: a misspelled setting that is only logged would be noticed under load.
 */
public final class ConfigurationLoader {
    /** The manager property with a {@link Mapping} of a framework's settings, between the file and other properties. */
    public static final String SETTINGS = "keyslot.settings";

    /** The manager property with a {@link TlsOptions} that replaces the settings under {@code tls}. */
    public static final String TLS = "keyslot.tls";

    /** The manager property with a {@link CredentialsProvider} that replaces the login under {@code connection}. */
    public static final String CREDENTIALS = "keyslot.credentials";

    /** The manager property with a {@code List} of patterns that are allowed in addition to {@code codec.allow}. */
    public static final String ALLOW = "keyslot.allow";

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationLoader.class);

    /** The class loader of a program without the classes of applications: settings that name them are not checked. */
    public static final class WithoutApplications extends ClassLoader {
        public WithoutApplications(ClassLoader parent) {
            super(parent);
        }
    }

    private ConfigurationLoader() {}

    /**
     * Returns the options.
     *
     * @param uri the manager's URI
     * @param defaultUri the provider's default URI, which names no file even if it looks like one
     * @param loader the manager's class loader, for resources and classes
     * @param properties the manager's; those that do not begin with {@code keyslot.} are ignored
     * @param environment returns the value of a variable, or null; {@code System::getenv} in production
     * @throws ConfigurationException if there is any problem
     */
    public static ClientOptions load(
            URI uri,
            URI defaultUri,
            ClassLoader loader,
            Properties properties,
            Function<String, @Nullable String> environment) {
        String config = properties.getProperty(PropertyOverrides.CONFIG);
        Optional<ConfigurationFile> file = ConfigurationFile.find(loader, uri.equals(defaultUri) ? null : uri, config);
        return read(file, loader, properties, environment);
    }

    static ClientOptions read(
            Optional<ConfigurationFile> file,
            ClassLoader loader,
            Properties properties,
            Function<String, @Nullable String> environment) {
        Problems problems = new Problems();
        Mapping root = file.map(found -> YamlDocument.read(found.name(), found.content(), problems))
                .orElseGet(() -> new Mapping(Location.ofProperty("keyslot.*"), Map.of()));
        if (root.entries().isEmpty() && problems.inOrder().isEmpty()) {
            file.ifPresent(found -> LOG.warn("{} has no setting in it", found.origin()));
        }
        PropertyOverrides overrides = new PropertyOverrides(properties, problems);
        Mapping overridden = overrides.layOver(root);
        String keys = String.join(", ", overrides.keys());
        String origin = file.map(found -> keys.isEmpty() ? found.origin() : found.origin() + ", overridden by " + keys)
                .orElse(keys.isEmpty() ? "defaults" : keys);
        Section settings = Section.root(problems, new Substitution(environment), overridden);
        List<?> allowed = properties.get(ALLOW) instanceof List<?> patterns ? patterns : List.of();
        return new OptionsReader(settings, new NamedClasses(loader), said -> given(properties, said), allowed)
                .read(origin);
    }

    private static Access given(Properties properties, Access said) {
        return new Access(
                properties.get(CREDENTIALS) instanceof CredentialsProvider given ? Login.asking(given) : said.login(),
                said.sentinels(),
                properties.get(TLS) instanceof TlsOptions given ? given : said.tls());
    }
}
