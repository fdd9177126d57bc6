// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationLoaderTest {
    private static final URI DEFAULT = URI.create("keyslot:default");

    @TempDir
    private Path classes;

    @TempDir
    private Path elsewhere;

    @AutoClose
    private URLClassLoader loader;

    private final Properties properties = new Properties();

    @BeforeEach
    void openClassPath() throws IOException {
        loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, null);
    }

    private static Path write(Path directory, String name, String namespace) throws IOException {
        return Files.writeString(directory.resolve(name), "namespace: " + namespace + "\n");
    }

    private ClientOptions load(URI uri) {
        return ConfigurationLoader.load(uri, DEFAULT, loader, properties, name -> null);
    }

    @Nested
    class DefaultUri {
        @Test
        void nothingAnywhere_givesTheDefaults() {
            assertThat(load(DEFAULT).partitions())
                    .extracting(each -> each.name().name())
                    .containsExactly("p1", "p2", "p3");
            assertThat(load(DEFAULT)).isEqualTo(Given.defaults());
        }

        @Test
        void yamlOnTheClassPath_isRead() throws IOException {
            Path file = write(classes, "keyslot.yaml", "shop");

            ClientOptions options = load(DEFAULT);

            assertThat(options.namespace()).isEqualTo("shop");
            assertThat(options.origin())
                    .isEqualTo("class path resource keyslot.yaml (%s)"
                            .formatted(file.toUri().toURL()));
        }

        @Test
        void bothSpellings_areAProblem() throws IOException {
            URL yaml = write(classes, "keyslot.yaml", "a").toUri().toURL();
            URL yml = write(classes, "keyslot.yml", "b").toUri().toURL();

            assertThatThrownBy(() -> load(DEFAULT))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("There are keyslot.yaml (%s) and keyslot.yml (%s) on the class path: keep one of them"
                            .formatted(yaml, yml));
        }
    }

    @Nested
    class ConfigProperty {
        @Test
        void path_namesAFileAndWinsOverTheClassPath() throws IOException {
            write(classes, "keyslot.yaml", "classes");
            Path file = write(elsewhere, "other.yaml", "other");
            properties.setProperty("keyslot.config", file.toString());

            ClientOptions options = load(DEFAULT);

            assertThat(options.namespace()).isEqualTo("other");
            assertThat(options.origin()).isEqualTo("file " + file);
        }

        @ParameterizedTest
        @ValueSource(strings = {"o.yaml", "classpath:o.yaml", "classpath:/o.yaml"})
        void resource_isFoundOnTheClassPath(String name) throws IOException {
            write(classes, "o.yaml", "resource");
            properties.setProperty("keyslot.config", name);

            assertThat(load(DEFAULT).namespace()).isEqualTo("resource");
        }

        @Test
        void nothingOfThatName_saysWhereItLooked() {
            properties.setProperty("keyslot.config", "o.yaml");

            assertThatThrownBy(() -> load(DEFAULT))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage(
                            "The property keyslot.config names o.yaml,"
                                    + " which is neither the file %s nor on the class path",
                            Path.of("o.yaml").toAbsolutePath());
        }
    }

    @Nested
    class ManagerUri {
        @Test
        void fileUri_winsOverThePropertyAndTheClassPath() throws IOException {
            write(classes, "keyslot.yaml", "classes");
            properties.setProperty("keyslot.config", "missing.yaml");

            assertThat(load(write(elsewhere, "m.yaml", "manager").toUri()).namespace())
                    .isEqualTo("manager");
        }

        @ParameterizedTest
        @ValueSource(strings = {"classpath:m.yaml", "classpath:/m.yaml", "classpath:///m.yaml"})
        void classpathUri_namesAResource(String uri) throws IOException {
            write(classes, "m.yaml", "manager");

            assertThat(load(URI.create(uri)).namespace()).isEqualTo("manager");
        }

        @ParameterizedTest
        @ValueSource(strings = {"shop", "keyslot:shop", "urn:acme:shop", "keyslot://shop"})
        void otherUri_isOnlyAName(String uri) throws IOException {
            write(classes, "keyslot.yaml", "classes");

            assertThat(load(URI.create(uri)).namespace()).isEqualTo("classes");
        }

        @Test
        void missingFile_isAProblemThatNamesIt() {
            Path missing = elsewhere.resolve("missing.yaml");

            assertThatThrownBy(() -> load(missing.toUri()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("The manager URI names a file that does not exist: " + missing);
        }

        @Test
        void directory_cannotBeRead() {
            assertThatThrownBy(() -> load(elsewhere.toUri()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("The configuration cannot be read: file " + elsewhere)
                    .hasCauseInstanceOf(IOException.class);
        }

        @Test
        void fileLargerThanTheBound_isRefused() throws IOException {
            Path file = Files.writeString(elsewhere.resolve("large.yaml"), "#".repeat((1 << 20) + 1));

            assertThatThrownBy(() -> load(file.toUri())).hasMessageContaining("it is larger than 1MiB");
        }

        @Test
        void fileWithinAJar_isRead() throws IOException {
            Path jar = elsewhere.resolve("application.jar");
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
                zip.putNextEntry(new ZipEntry("BOOT-INF/classes/keyslot.yaml"));
                zip.write("namespace: packaged\n".getBytes(StandardCharsets.UTF_8));
            }
            URI uri = URI.create("jar:" + jar.toUri() + "!/BOOT-INF/classes/keyslot.yaml");

            assertThat(load(uri).namespace()).isEqualTo("packaged");
        }

        @Test
        void fileOfAnotherMachine_isRefused() {
            assertThatThrownBy(() -> load(URI.create("file://host/x.yaml")))
                    .hasMessage("The manager URI does not name a file of this machine: file://host/x.yaml");
        }

        @ParameterizedTest
        @ValueSource(strings = {"http", "https", "ftp"})
        void schemesOfResources_areRefused(String scheme) {
            assertThatThrownBy(() -> load(URI.create(scheme + ":x")))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage(("The manager URI has the scheme %s, from which no configuration is read:"
                                    + " use file: or classpath:")
                            .formatted(scheme));
        }
    }

    @Test
    void message_hasTheOriginAndTheShortNameOfTheFile() throws IOException {
        Path file = Files.writeString(elsewhere.resolve("m.yaml"), "metrics: on\n");

        assertThatThrownBy(() -> load(file.toUri()))
                .hasMessage("The configuration has 1 problem: file %s%n%s"
                        .formatted(file, "m.yaml:1:1: metrics is \"on\", must be true or false"));
    }
}
