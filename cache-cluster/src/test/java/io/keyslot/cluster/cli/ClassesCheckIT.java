// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two versions of the classes of an application: one has stored values, the other one is to read them. */
@SideBySide
class ClassesCheckIT {
    private static final String ORDER = """
            package shop;
            public class Order implements java.io.Serializable {
                public int number; public String text = "secret"; public Line line = new Line(); public Level level = Level.GOLD;
                public static class Line implements java.io.Serializable { public int amount = 3; }
            }
            """;
    private static final String LEVEL = "package shop; public enum Level { SILVER, GOLD }";
    private static final String GIFT = "package shop; public record Gift(String text) {}";
    /** Must not be created, as it may connect to a database. */
    private static final String LOADER = """
            package shop;
            public class Loader implements javax.cache.integration.CacheLoader<Object, Object> {
                public Loader() { throw new IllegalStateException("created"); }
                public Object load(Object key) { return null; }
                public java.util.Map<Object, Object> loadAll(Iterable<?> keys) { return null; }
            }
            """;

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final String PAGE = "package shop; public record Page(int number, String text) {}";

    @AutoClose
    private final LocalServers servers = TestServers.none();

    private final List<LocalServer> all = servers.start(2);

    @TempDir
    private Path folder;

    private Path config = Path.of("");
    private Path before = Path.of("");

    @BeforeEach
    void store() throws Exception {
        before = jar("before", ORDER, LEVEL, GIFT, PAGE);
        config = Files.writeString(folder.resolve("keyslot.yaml"), """
                partitions: [%s]
                deadlines: { connect: 5s, call: 5s, command: 4s }
                codec: { allow: [ "shop.**" ] }
                caches:
                  order: { ttl: 1h, expiry: touched, loader: shop.Loader, readThrough: true }
                  page: { ttl: 1h, codec: json, keyType: java.lang.Integer, valueType: shop.Page }
                """.formatted(
                        all.stream().map(server -> "'" + server.uri() + "'").collect(Collectors.joining(", "))));
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty(
                "keyslot.partitions", all.stream().map(LocalServer::uri).collect(Collectors.joining(",")));
        properties.setProperty("keyslot.codec.allow", "shop.**");
        properties.setProperty("keyslot.caches.order.ttl", "1h");
        properties.setProperty("keyslot.caches.page.ttl", "1h");
        properties.setProperty("keyslot.caches.page.codec", "json");
        properties.setProperty("keyslot.caches.page.keyType", "java.lang.Integer");
        properties.setProperty("keyslot.caches.page.valueType", "shop.Page");
        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {before.toUri().toURL()}, getClass().getClassLoader());
                CacheManager manager =
                        Caching.getCachingProvider().getCacheManager(URI.create("before"), loader, properties)) {
            Cache<Object, Object> orders = manager.getCache("order");
            Cache<Object, Object> pages = manager.getCache("page");
            for (int i = 0; i < 150; i++) {
                orders.put(i, loader.loadClass("shop.Order").getConstructor().newInstance());
            }
            for (int i = 150; i < 200; i++) {
                orders.put(
                        i,
                        loader.loadClass("shop.Gift")
                                .getConstructor(String.class)
                                .newInstance("secret"));
            }
            pages.put(
                    1,
                    loader.loadClass("shop.Page")
                            .getConstructor(int.class, String.class)
                            .newInstance(1, "secret"));
        }
    }

    private Path jar(String name, String... classFiles) throws IOException {
        List<String> sources = new ArrayList<>(List.of(classFiles));
        sources.add(LOADER);
        Path classes = Files.createDirectories(folder.resolve(name));
        List<String> arguments = new ArrayList<>(List.of("-d", classes.toString()));
        for (String source : sources) {
            String type = source.replaceFirst("(?s).*?(?:class|record|enum) (\\w+).*", "$1");
            Path file =
                    Files.createDirectories(folder.resolve(name + "-source")).resolve(type + ".java");
            arguments.add(Files.writeString(file, source).toString());
        }
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        Path jar = folder.resolve(name + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
            }
        }
        return jar;
    }

    private CommandRun check(Object classes, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("check", "--classes", classes.toString(), "--config", config.toString()));
        arguments.addAll(List.of(more));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    /** Returns the classes of a cache with what the command says of them. */
    private Map<String, String> found(CommandRun run) {
        Map<?, ?> document =
                (Map<?, ?>) Objects.requireNonNull(JsonReader.read(run.out().getBytes(StandardCharsets.UTF_8)));
        Map<String, String> found = new TreeMap<>();
        for (Object each : (List<?>) Objects.requireNonNull(document.get("classes"))) {
            Map<?, ?> row = (Map<?, ?>) each;
            found.put(
                    String.valueOf(row.get("class")),
                    "%s %s %s %s"
                            .formatted(row.get("state"), row.get("entries"), row.get("defaults"), row.get("problem")));
        }
        assertThat(run.out() + run.err()).doesNotContain("secret");
        return found;
    }

    private String withOrder(String order, String... others) throws IOException {
        List<String> sources = new ArrayList<>(List.of(order, LEVEL, GIFT, PAGE));
        sources.addAll(List.of(others));
        return jar("after", sources.toArray(String[]::new)).toString();
    }

    @Test
    void sameClasses_readEverything_andNothingIsChanged() {
        Map<String, String> stored = stored();

        CommandRun run = check(before, "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(found(run))
                .isEqualTo(Map.of(
                        "shop.Order", "readable 150 [] null",
                        "shop.Gift", "readable 50 [] null",
                        "shop.Page", "readable 1 [] null"));
        assertThat(stored()).isEqualTo(stored);
    }

    /** Returns the bytes of all entries, and when they expire. */
    private Map<String, String> stored() {
        Map<String, String> stored = new TreeMap<>();
        for (LocalServer server : all) {
            try (RedisClient client = RedisClient.create(server.uri());
                    StatefulRedisConnection<String, String> connection = client.connect()) {
                for (String key : connection.sync().keys("*")) {
                    if (!key.startsWith("keyslot")) {
                        stored.put(
                                key,
                                connection.sync().get(key) + connection.sync().pexpiretime(key));
                    }
                }
            }
        }
        assertThat(stored).hasSize(201);
        return stored;
    }

    @Test
    void addedAndRemovedFields_areReadWithDefaults() throws Exception {
        String after = jar(
                        "after",
                        ORDER.replace("public int number;", "public String phone; public int discount;")
                                .replace("public int amount = 3;", "public int amount = 3; public String unit;"),
                        LEVEL,
                        GIFT,
                        PAGE.replace("int number, ", "int number, Integer length, "))
                .toString();

        CommandRun run = check(after, "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(found(run))
                .containsEntry(
                        "shop.Order",
                        "readable with defaults 150 [shop.Order$Line.unit, shop.Order.discount, shop.Order.phone] null")
                .containsEntry("shop.Page", "readable with defaults 1 [shop.Page.length] null");
    }

    @Test
    void changedTypes_areUnreadable_withTheField() throws Exception {
        CommandRun primitive = check(withOrder(ORDER.replace("public int number", "public long number")), "-o", "json");
        CommandRun object = check(
                withOrder(ORDER.replace("public String text = \"secret\"", "public java.util.UUID text")),
                "-o",
                "json");
        CommandRun json = check(
                jar("json", ORDER, LEVEL, GIFT, PAGE.replace("String text", "java.util.UUID text")), "-o", "json");

        assertThat(primitive.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(found(primitive).get("shop.Order"))
                .isEqualTo("unreadable 150 [] shop.Order had another type of the field shop.Order.number when it was"
                        + " written");
        assertThat(object.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(found(object).get("shop.Order"))
                .startsWith("unreadable 150 [] ")
                .contains("shop.Order.text");
        assertThat(json.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(found(json).get("shop.Page")).startsWith("unreadable 1 [] ").contains("UUID", "text");
    }

    @Test
    void removedClassesAndConstants_areUnreadable_withTheirNames() throws Exception {
        CommandRun removed = check(jar("removed", ORDER, LEVEL, PAGE), "-o", "json");
        CommandRun renamed =
                check(jar("renamed", ORDER.replace("GOLD", "GOLDEN"), LEVEL.replace("GOLD", "GOLDEN"), GIFT, PAGE));

        assertThat(removed.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(found(removed))
                .containsEntry("shop.Gift", "unreadable 50 [] class shop.Gift is not found")
                .containsEntry("shop.Order", "readable 150 [] null");
        assertThat(renamed.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(renamed.out())
                .containsPattern("order +shop.Order +unreadable +150 +75 % +.*GOLD")
                .containsPattern("order +shop.Gift +readable +50 +25 % +-");
    }

    @Test
    void sample_isBounded_andDamagedBytesAreFound() {
        try (RedisClient client = RedisClient.create(all.get(0).uri());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            String key = connection.sync().keys("order:*").get(0);
            connection.sync().setrange(key, connection.sync().strlen(key) - 1, "\u0001");

            CommandRun few = check(before, "--sample", "10", "-o", "json");
            CommandRun damaged = check(before, "-o", "json");

            assertThat(few.out()).contains("\"order\":10");
            assertThat(damaged.exitCode()).isEqualTo(ExitCode.DIFFERENT);
            assertThat(damaged.out())
                    .contains("the bytes are damaged or encrypted with another key, or their dictionary is missing");
            assertThat(connection.sync().exists(key)).isEqualTo(1);
        }
    }

    @Test
    void valuesWithADictionary_areReadWithIt_andUnreadableWithoutIt() throws Exception {
        List<String> addresses = all.stream().map(LocalServer::uri).toList();
        try (CacheManager manager = KeyslotManagers.openPatiently(
                "writer", addresses, Map.of("keyslot.caches.text.compression.dictionary", "sampled"))) {
            Cache<Integer, String> texts = manager.createCache(
                    "text", new MutableConfiguration<Integer, String>().setTypes(Integer.class, String.class));
            Runnable write = () -> IntStream.range(0, 100)
                    .forEach(i ->
                            texts.put(i, IntStream.range(i, i + 400).boxed().toList() + " secret"));
            await().atMost(LONGEST).until(() -> {
                write.run();
                return dictionaries(false) == 2;
            });
            write.run();
        }
        Files.writeString(
                config,
                "  text: { valueType: java.lang.String, compression: { dictionary: sampled } }\n",
                StandardOpenOption.APPEND);

        CommandRun with = check(before, "-o", "json");
        assertThat(with.exitCode()).as(with.err()).isZero();
        assertThat(found(with)).containsEntry("java.lang.String", "readable 100 [] null");
        assertThat(dictionaries(true)).isEqualTo(2);

        CommandRun without = check(before, "-o", "json");
        assertThat(without.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(found(without).get("java.lang.String"))
                .startsWith("unreadable 100 []")
                .contains("dictionary");
        assertThat(dictionaries(false)).isZero();
    }

    private int dictionaries(boolean isToRemove) {
        int found = 0;
        for (LocalServer server : all) {
            try (RedisClient client = RedisClient.create(server.uri());
                    StatefulRedisConnection<String, String> connection = client.connect()) {
                for (String key : connection.sync().keys("keyslot:{keyslot:text}:dictionary*")) {
                    found++;
                    if (isToRemove) {
                        connection.sync().del(key);
                    }
                }
            }
        }
        return found;
    }

    @Test
    void classesThatCannotBeUsed_areOneLine() throws Exception {
        Path noJar = Files.writeString(folder.resolve("damaged.jar"), "not a jar");
        Path fat = folder.resolve("fat.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(fat))) {
            out.putNextEntry(new JarEntry("BOOT-INF/classes/"));
        }

        assertFails(check("no-such.jar"), "no-such.jar is not a file or directory that can be read");
        assertFails(check(before + File.pathSeparator + noJar), "damaged.jar is not a jar, or a damaged one");
        assertFails(check(fat), "has its classes in BOOT-INF");
        assertFails(check(before, "--sample", "0"), "--sample is 0, must be at least 1");
        assertFails(check(jar("without", ORDER, LEVEL, GIFT)), "caches.page.valueType is \"shop.Page\"");
        all.get(1).kill();
        assertFails(check(before), "Cache order: check");
    }

    private static void assertFails(CommandRun run, String why) {
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err().lines()).hasSize(1).first().asString().contains(why);
        assertThat(run.out()).isEmpty();
    }
}
