// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application with a module descriptor of its own, everything on the module path, and no further option. */
@SideBySide
class ModulePathIT {
    /** What Maven's build puts beside the command line: the jars that an application gets, and a few of its own. */
    private static final Path JARS = Path.of("target", "lib");

    private static final String DESCRIPTOR = """
            module com.acme.shop {
                requires io.keyslot.client;
                opens com.acme.shop.model to io.keyslot.client;
            }
            """;

    private static final String MODEL = """
            package com.acme.shop.model;

            public record Customer(String name, java.util.List<String> cities) {}
            """;

    private static final String MAIN = """
            package com.acme.shop;

            import com.acme.shop.model.Customer;
            import io.keyslot.cache.PartitionedCache;
            import java.net.URI;
            import java.util.List;
            import javax.cache.Cache;
            import javax.cache.CacheManager;
            import javax.cache.Caching;

            public class Main {
                public static void main(String[] arguments) {
                    try (CacheManager manager = Caching.getCachingProvider()
                            .getCacheManager(URI.create(arguments[0]), Main.class.getClassLoader())) {
                        Cache<Object, Object> customers = manager.getCache("customer");
                        customers.put(99L, new Customer("Ada", List.of("London")));
                        System.out.println(customers.get(99L));
                        System.out.println(customers.unwrap(PartitionedCache.class).getClass().getModule());
                    }
                }
            }
            """;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void compile() throws IOException {
        write("module-info.java", DESCRIPTOR);
        write("com/acme/shop/model/Customer.java", MODEL);
        write("com/acme/shop/Main.java", MAIN);
        int problems = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "-p",
                        modulePath(),
                        "-d",
                        classes().toString(),
                        source("module-info.java").toString(),
                        source("com/acme/shop/model/Customer.java").toString(),
                        source("com/acme/shop/Main.java").toString());
        assertThat(problems).isZero();
    }

    @Test
    void onServers_configuredByFile() throws Exception {
        try (TestServers servers = TestServers.start(2)) {
            String partitions = String.join(", ", servers.uris());
            assertThat(run("partitions: [ %s ]".formatted(partitions)))
                    .contains("Customer[name=Ada, cities=[London]]", "module io.keyslot.client");
        }
    }

    @Test
    void inProcess_configuredByFile() throws Exception {
        assertThat(run("engine: embedded")).contains("Customer[name=Ada, cities=[London]]", "module io.keyslot.client");
    }

    private static List<String> run(String engine) throws Exception {
        Path configuration = Files.writeString(
                directory.resolve("shop.yaml"),
                engine + "\ncaches: { customer: {} }\ncodec: { allow: [ \"com.acme.shop.model.*\" ] }\n");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-p",
                        classes() + File.pathSeparator + modulePath(),
                        "-m",
                        "com.acme.shop/com.acme.shop.Main",
                        configuration.toUri().toString())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String modulePath() throws IOException {
        try (Stream<Path> jars = Files.list(JARS)) {
            return String.join(
                    File.pathSeparator,
                    jars.map(Path::toString).filter(jar -> jar.endsWith(".jar")).toList());
        }
    }

    private static void write(String name, String text) throws IOException {
        Files.createDirectories(source(name).getParent());
        Files.writeString(source(name), text);
    }

    private static Path source(String name) {
        return directory.resolve("sources").resolve(name);
    }

    private static Path classes() {
        return directory.resolve("classes");
    }
}
