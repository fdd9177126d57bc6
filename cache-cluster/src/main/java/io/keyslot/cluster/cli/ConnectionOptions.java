// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.KeyslotAdmin;
import io.keyslot.cluster.inspect.LoadSurvey;
import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.cluster.terminal.Terminal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import javax.cache.CacheManager;
import javax.cache.Caching;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that select the partitions of a command. */
final class ConnectionOptions {
    private static final URI URI_OF_COMMANDS = URI.create("keyslot:command");
    private static final String ENVIRONMENT = "KEYSLOT_CONFIG";
    private static final ClassLoader LOADER =
            new ConfigurationLoader.WithoutApplications(ConnectionOptions.class.getClassLoader());

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "<file>",
            description = "The configuration of the application. Default, without --partitions:"
                    + " the file that KEYSLOT_CONFIG names, or keyslot.yaml in the current directory.")
    private @Nullable Path config;

    @Option(
            names = "--partitions",
            paramLabel = "<address>",
            split = ",",
            description = "Addresses of the servers, in the order of the application's configuration:"
                    + " redis://host:port, separated by commas.")
    private List<String> partitions = List.of();

    /** Returns whether there is neither a configuration nor an address, so that the partitions would be embedded. */
    public boolean isEmpty() {
        return configuration() == null && partitions.isEmpty();
    }

    private @Nullable Path configuration() {
        if (config != null || !partitions.isEmpty()) {
            return config;
        }
        return found(System.getenv(ENVIRONMENT), Path.of(""));
    }

    /** Returns the configuration that the environment names, or the one of a directory; null if there is none. */
    static @Nullable Path found(@Nullable String named, Path directory) {
        if (named != null && !named.isBlank()) {
            return Path.of(named);
        }
        Path present = directory.resolve("keyslot.yaml");
        return Files.exists(present) ? present : null;
    }

    /** Opens a cache manager that leaves nothing behind; throws ParameterException if options conflict. */
    public PartitionedCacheManager open() {
        return open(LOADER);
    }

    /** As {@link #open()}, with the classes of another loader. */
    PartitionedCacheManager open(ClassLoader loader) {
        CacheManager manager = Caching.getCachingProvider().getCacheManager(URI_OF_COMMANDS, loader, properties());
        return manager.unwrap(PartitionedCacheManager.class);
    }

    /** Returns the options for a client, without I/O. */
    public ClientOptions options() {
        return options(LOADER);
    }

    ClientOptions options(ClassLoader loader) {
        return ConfigurationLoader.load(URI_OF_COMMANDS, URI_OF_COMMANDS, loader, properties(), System::getenv);
    }

    public OpenCatalogue catalogue() {
        return OpenCatalogue.of(options());
    }

    /** Returns the newest map that can be read, with a warning on standard error if a newer one may exist. */
    public PartitionMap map(Terminal terminal) {
        try (OpenCatalogue catalogue = catalogue()) {
            sayDoubt(catalogue, terminal);
            return catalogue.newest();
        }
    }

    /** Returns a planner for the {@link #map}. It knows the used memory if all partitions answer. */
    public Planner planner(Terminal terminal) {
        try (OpenCatalogue catalogue = catalogue()) {
            sayDoubt(catalogue, terminal);
            return new KeyslotAdmin(catalogue).planner();
        }
    }

    private static void sayDoubt(OpenCatalogue catalogue, Terminal terminal) {
        catalogue.doubt().ifPresent(why -> {
            ErrorLine.print(terminal, "This is the map of the configuration: " + why);
        });
    }

    /** Surveys about {@code keys} keys of each partition; prints what is unknown to standard error. */
    public SurveyedLoad load(Terminal terminal, long keys) {
        try (OpenCatalogue catalogue = catalogue()) {
            sayDoubt(catalogue, terminal);
            SurveyedLoad load = LoadSurvey.look(catalogue, keys);
            load.remarks().forEach(remark -> terminal.err().println("Note: " + remark + "."));
            return load;
        }
    }

    private Properties properties() {
        Properties properties = new Properties();
        // A wrong list of addresses must not become the map of unused instances.
        properties.setProperty("keyslot.adoptInstances", "false");
        Path file = configuration();
        if (file != null) {
            if (!Files.isReadable(file)) {
                String origin = config == null ? " of " + ENVIRONMENT : "";
                throw misused("The configuration %s%s is not a file that can be read".formatted(file, origin));
            }
            properties.setProperty("keyslot.config", file.toString());
        }
        if (!partitions.isEmpty()) {
            properties.setProperty("keyslot.engine", "instances");
            properties.setProperty("keyslot.partitions", String.join(",", partitions));
        }
        return properties;
    }

    private ParameterException misused(String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }
}
