// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.Codec;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.Inspection;
import io.keyslot.client.config.CacheOptions;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.entry.StoredSample;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.zip.ZipException;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Reads a sample of each configured cache with the classes of another version of the application. Changes nothing. */
final class ClassesCheck {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    @Option(
            names = "--classes",
            paramLabel = "<jars>",
            description =
                    "Check instead whether the classes of these jars or directories can read what the configured caches"
                            + " have stored; the first is the application. Separated as in a class path.")
    private @Nullable String classes;

    @Option(
            names = "--sample",
            paramLabel = "<entries>",
            description = "With --classes: the most entries of each cache, ${DEFAULT-VALUE} by default.")
    private int sample = 1000;

    boolean isWanted() {
        return classes != null;
    }

    /** Throws {@code IOException} if a jar cannot be used. */
    int check(Terminal terminal, ConnectionOptions connection, OutputOptions output) throws IOException {
        if (sample < 1) {
            throw new IOException("--sample is %d, must be at least 1".formatted(sample));
        }
        Table table = new Table(
                "Cache=cache",
                "Class=class",
                "State=state",
                "Entries=entries",
                "Share=percent",
                "Detail",
                "=defaults",
                "=problem");
        boolean isReadable = true;
        Map<String, Integer> sizes = new TreeMap<>();
        try (URLClassLoader loader = loader(Objects.requireNonNull(classes))) {
            ClientOptions options = connection.options(loader);
            if (options.caches().isEmpty()) {
                throw new IOException("The configuration names no caches, whose entries could be read");
            }
            try (PartitionedCacheManager manager = connection.open(loader)) {
                for (String name : new TreeSet<>(options.caches().keySet())) {
                    Map<Inspection, Integer> found = inspect(name, options, manager, loader);
                    add(table, name, found);
                    sizes.put(name, sum(found));
                    isReadable &= found.keySet().stream().allMatch(each -> each.problem() == null);
                }
            }
        }
        output.print(
                terminal,
                () -> Map.of("caches", sizes, "classes", table.documents()),
                () -> table.isEmpty() ? List.of("No cache has entries.") : table.lines());
        return isReadable ? ExitCode.OK : ExitCode.DIFFERENT;
    }

    private static URLClassLoader loader(String classPath) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String name : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(name);
            if (!Files.isReadable(path)) {
                throw new IOException("--classes: %s is not a file or directory that can be read".formatted(name));
            }
            if (!Files.isDirectory(path)) {
                requireJar(path);
            }
            urls.add(path.toUri().toURL());
        }
        return new URLClassLoader("application", urls.toArray(URL[]::new), Codec.class.getClassLoader());
    }

    private static void requireJar(Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            if (jar.getEntry("BOOT-INF/classes/") != null) {
                throw new IOException(
                        "--classes: %s has its classes in BOOT-INF; unpack it, and pass BOOT-INF/classes and the jars of BOOT-INF/lib"
                                .formatted(path));
            }
        } catch (ZipException e) {
            throw new IOException("--classes: %s is not a jar, or a damaged one".formatted(path), e);
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"
    }) // the codec of the cache, whatever its values; neither loader nor writer
    private Map<Inspection, Integer> inspect(
            String name, ClientOptions options, PartitionedCacheManager manager, ClassLoader loader) {
        CacheOptions cache = options.cache(name);
        Class<Object> keyType = (Class<Object>) classNamed(name, "keyType", cache.keyType(), loader);
        Class<Object> valueType = (Class<Object>) classNamed(name, "valueType", cache.valueType(), loader);
        AllowedClasses allowed = AllowedClasses.of(options.codec().allow()).with(keyType, valueType);
        String codecName =
                Objects.requireNonNullElse(cache.codec(), options.codec().defaultName());
        Codec<Object> codec = (Codec<Object>) Codecs.create(codecName, valueType, allowed, loader);
        Map<Inspection, Integer> found = new LinkedHashMap<>();
        Codec<Object> inspecting = new Inspecting(
                codec, bytes -> found.merge(Inspection.of(codec, valueType.getName(), bytes), 1, Integer::sum));
        // Without the application's own parts, and without an expiry that depends on accesses.
        PartitionedConfiguration<Object, Object> configuration = new PartitionedConfiguration<>()
                .setTypes(keyType, valueType)
                .setExpiryPolicyFactory(EternalExpiryPolicy.factoryOf())
                .setCacheLoaderFactory(() -> (CacheLoader<Object, Object>) null)
                .setCacheWriterFactory(() -> (CacheWriter<Object, Object>) null)
                .setCodecFactory(() -> inspecting);
        PartitionedCache<Object, Object> opened = manager.createCache(name, configuration);
        int entries = opened.unwrap(StoredSample.class).decode(sample, LONGEST);
        int inspected = sum(found);
        if (entries > inspected) {
            String problem = "the bytes are damaged or encrypted with another key, or their dictionary is missing";
            found.put(new Inspection(valueType.getName(), List.of(), problem), entries - inspected);
        }
        return found;
    }

    private static int sum(Map<Inspection, Integer> found) {
        return found.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static void add(Table table, String cache, Map<Inspection, Integer> found) {
        found.entrySet().stream()
                .sorted(Comparator.comparingInt(each -> -each.getValue()))
                .forEach(each -> {
                    Inspection how = each.getKey();
                    String defaults = how.defaults().isEmpty() ? null : String.join(", ", how.defaults());
                    long percent = Math.round(100.0 * each.getValue() / sum(found));
                    table.row(
                            cache,
                            how.type(),
                            how.problem() != null
                                    ? "unreadable"
                                    : defaults == null ? "readable" : "readable with defaults",
                            each.getValue(),
                            new Table.Cell(percent, percent + " %"),
                            how.problem() != null ? how.problem() : defaults,
                            how.defaults(),
                            how.problem());
                });
    }

    private static Class<?> classNamed(String cache, String setting, @Nullable String name, ClassLoader loader) {
        try {
            return name == null ? Object.class : Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException(
                    "Cache %s: %s %s is not among the classes of --classes".formatted(cache, setting, name), e);
        }
    }

    /** A codec that passes the bytes of a value on before it decodes them. */
    private record Inspecting(Codec<Object> codec, Consumer<ByteBuffer> receiver) implements Codec<Object> {
        @Override
        public String name() {
            return codec.name();
        }

        @Override
        public byte[] encode(Object value) {
            return codec.encode(value);
        }

        @Override
        public Object decode(ByteBuffer bytes) {
            receiver.accept(bytes.duplicate());
            return codec.decode(bytes);
        }
    }
}
