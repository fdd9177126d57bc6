// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.ConfigurationLoader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import javax.cache.Caching;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of README.md work as they stand there. */
class ReadmeTest {
    private static final Path README = Path.of("..", "README.md");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void program_compilesAgainstJCacheAloneAndPrintsTheValue() throws Exception {
        Path source = Files.writeString(folder.resolve("Hello.java"), example("java"));
        Path jcache = Path.of(Caching.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        int failures = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", jcache.toString(), "-d", folder.toString(), source.toString());
        assertThat(failures).isZero();

        assertThat(printedBy("Hello")).isEqualTo("Ada" + System.lineSeparator());
    }

    private String printedBy(String program) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            Method main = loader.loadClass(program).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource
    void configuration_isReadWithoutProblems(String yaml) throws IOException {
        URI uri = Files.writeString(folder.resolve("keyslot.yaml"), yaml).toUri();

        assertThat(ConfigurationLoader.load(
                                uri,
                                URI.create("keyslot"),
                                getClass().getClassLoader(),
                                new Properties(),
                                name -> "secret")
                        .partitions())
                .hasSize(3);
    }

    static List<String> configuration_isReadWithoutProblems() throws IOException {
        return examples("yaml");
    }

    private static String example(String language) throws IOException {
        return examples(language).get(0);
    }

    private static List<String> examples(String language) throws IOException {
        List<String> examples = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(README))
                .results()
                .map(example -> example.group(1))
                .toList();
        assertThat(examples).as("the README has %s", language).isNotEmpty();
        return examples;
    }
}
