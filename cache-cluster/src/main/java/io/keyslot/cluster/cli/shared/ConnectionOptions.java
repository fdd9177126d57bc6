// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.read.ConfigurationLoader;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.load.LoadSurvey;
import io.keyslot.cluster.load.SurveyedLoad;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.UsedMemory;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.cluster.terminal.Terminal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import javax.cache.CacheManager;
import javax.cache.Caching;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say which partitions a command talks to. */
public final class ConnectionOptions {
    private static final URI URI_OF_COMMANDS = URI.create("keyslot:command");
    private static final ClassLoader LOADER = ConnectionOptions.class.getClassLoader();

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "<file>",
            description = "The configuration of the application, such as keyslot.yaml.")
    private @Nullable Path config;

    @Option(
            names = "--partitions",
            paramLabel = "<address>",
            split = ",",
            description = "Addresses of the servers, in the order of the application's configuration:"
                    + " redis://host:port, separated by commas.")
    private List<String> partitions = List.of();

    /** Returns the options of a command that is told these addresses, with commas between them. */
    public static ConnectionOptions to(String addresses) {
        ConnectionOptions options = new ConnectionOptions();
        options.partitions = List.of(addresses.split(",", -1));
        return options;
    }

    /** Returns whether nothing was given, so that partitions of this process would be asked. */
    public boolean isEmpty() {
        return config == null && partitions.isEmpty();
    }

    /**
     * Opens a cache manager over these partitions, which leaves nothing behind in them.
     *
     * @throws ParameterException if the options cannot be used together or the file is missing
     */
    public PartitionedCacheManager open() {
        CacheManager manager = Caching.getCachingProvider().getCacheManager(URI_OF_COMMANDS, LOADER, properties());
        return manager.unwrap(PartitionedCacheManager.class);
    }

    /** Returns what the options say, without asking anybody. */
    public ClientOptions options() {
        return ConfigurationLoader.load(URI_OF_COMMANDS, URI_OF_COMMANDS, LOADER, properties(), System::getenv);
    }

    /** Opens the catalogue of the options. */
    public OpenCatalogue catalogue() {
        return OpenCatalogue.of(options());
    }

    /**
     * Returns the newest map that can be seen: that of the configuration, if no other one was ever agreed on. Says so on standard
     * error if there may be a newer one.
     */
    public PartitionMap map(Terminal terminal) {
        try (OpenCatalogue catalogue = catalogue()) {
            sayDoubt(catalogue, terminal);
            return catalogue.newest();
        }
    }

    /**
     * Returns who makes plans for the newest map, as {@link #map} finds it. It knows what the partitions use of their memory, unless one
     * of them does not answer.
     */
    public Planner planner(Terminal terminal) {
        try (OpenCatalogue catalogue = catalogue()) {
            sayDoubt(catalogue, terminal);
            PartitionMap map = catalogue.newest();
            boolean isAnswered = catalogue.doubt().isEmpty();
            return new Planner(map, isAnswered ? UsedMemory.ask(catalogue, map) : PlanFacts.NONE);
        }
    }

    private static void sayDoubt(OpenCatalogue catalogue, Terminal terminal) {
        catalogue.doubt().ifPresent(why -> {
            terminal.err().println(ErrorLine.of("This is the map of the configuration: " + why));
            terminal.err().flush();
        });
    }

    /**
     * Asks the partitions of the newest map for their load, as {@link LoadSurvey} does. Says on standard error what
     * is not known.
     *
     * @param keys about how many keys of each partition are looked at
     */
    public SurveyedLoad load(Terminal terminal, long keys) {
        try (OpenCatalogue catalogue = catalogue()) {
            sayDoubt(catalogue, terminal);
            SurveyedLoad load = LoadSurvey.look(catalogue, keys);
            load.remarks().forEach(remark -> terminal.err().println("Note: " + remark + "."));
            terminal.err().flush();
            return load;
        }
    }

    private Properties properties() {
        Properties properties = new Properties();
        // A list of addresses that is wrong must not become the truth for the instances that nobody used yet.
        properties.setProperty("keyslot.adoptInstances", "false");
        if (config != null) {
            if (!Files.isReadable(config)) {
                throw misused("The configuration %s is not a file that can be read".formatted(config));
            }
            properties.setProperty("keyslot.config", config.toString());
        }
        if (!partitions.isEmpty()) {
            properties.setProperty("keyslot.engine", "instances");
            properties.setProperty("keyslot.partitions", String.join(",", partitions));
        }
        return properties;
    }

    private ParameterException misused(String message) {
        if (spec == null) {
            throw new IllegalStateException("The options are not part of a command");
        }
        return new ParameterException(spec.commandLine(), message);
    }
}
