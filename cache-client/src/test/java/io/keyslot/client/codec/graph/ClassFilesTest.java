// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassFilesTest {
    private static final Path MODULE =
            FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");

    private static List<String> namesOfTheModule() throws IOException {
        try (Stream<Path> files = Files.walk(MODULE.resolve("java"))) {
            return files.map(file -> MODULE.relativize(file).toString())
                    .filter(path -> path.endsWith(".class"))
                    .map(path ->
                            path.substring(0, path.length() - ".class".length()).replace('/', '.'))
                    .toList();
        }
    }

    @Test
    void classFiles_sayOfEachClassWhatItIs() throws Exception {
        List<String> names = namesOfTheModule();

        assertThat(names).hasSizeGreaterThan(2_000);
        for (String name : names) {
            Class<?> loaded = Class.forName(name, false, null);
            assertThat(ClassFiles.isJdkInterface(name)).as(name).isEqualTo(loaded.isInterface());
            try (InputStream file = Files.newInputStream(MODULE.resolve(name.replace('.', '/') + ".class"))) {
                assertThat(ClassFiles.isInterface(file)).as(name).isEqualTo(loaded.isInterface());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "java.",
                "java..List",
                "java.util.Missing",
                "java.util.List;",
                "java/util/List",
                "java.util.\u0000"
            })
    void nameOfNothing_isNeither(String name) {
        assertThat(ClassFiles.isJdkInterface(name)).isFalse();
    }

    /** Only the JDK's own loaders are asked. */
    @Test
    void classOfTheClassPath_isNeither() {
        assertThat(ClassFiles.isJdkInterface("javax.cache.Cache")).isFalse();
    }
}
