// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.starter;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.TestServers;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/** The application of {@code docs/spring.md} works as it is written there. */
class SpringGuideIT {
    private static final Path GUIDE = Path.of("../../../docs/spring.md");
    private static final Pattern ADDRESS = Pattern.compile("redis://127\\.0\\.0\\.1:\\d+");

    @Test
    void applicationOfTheGuide_caches(@TempDir Path folder) throws Exception {
        String guide = Files.readString(GUIDE);
        compile(Files.writeString(folder.resolve("Shop.java"), block(guide, "java")), folder);
        try (TestServers servers = TestServers.start(3);
                URLClassLoader loader = new URLClassLoader(
                        new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            List<String> uris = servers.uris();
            int[] next = {0};
            String properties = ADDRESS.matcher(block(guide, "properties")).replaceAll(found -> uris.get(next[0]++));
            String[] arguments = Stream.concat(
                            properties.lines().map(line -> "--" + line),
                            Stream.of("--server.port=0", "--keyslot.startup.wait=10s", "--logging.level.root=warn"))
                    .toArray(String[]::new);

            try (ConfigurableApplicationContext application = new SpringApplicationBuilder()
                    .sources(loader.loadClass("com.acme.shop.Shop"))
                    .resourceLoader(new DefaultResourceLoader(loader))
                    .run(arguments)) {
                String port =
                        Objects.requireNonNull(application.getEnvironment().getProperty("local.server.port"));
                String first = get(port, 7);

                assertThat(next[0]).isEqualTo(3);
                assertThat(first).startsWith("book 7 of ");
                assertThat(get(port, 7)).isEqualTo(first);
                assertThat(get(port, 8)).isNotEqualTo(first);
            }
        }
    }

    private static String block(String guide, String language) {
        return guide.split("```" + language + "\n", 2)[1].split("```", 2)[0];
    }

    private static void compile(Path source, Path target) {
        int failures = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", target.toString(), source.toString());
        assertThat(failures).isZero();
    }

    private static String get(String port, int id) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/books/" + id))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}
