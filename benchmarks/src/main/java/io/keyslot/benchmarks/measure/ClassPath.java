// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;

public final class ClassPath {
    private ClassPath() {}

    /** Returns the jars and directories of the class path, including those in a jar's manifest. */
    public static List<Path> entries() {
        return Stream.of(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath())
                .flatMap(ClassPath::withManifest)
                .toList();
    }

    private static Stream<Path> withManifest(Path entry) {
        if (!entry.toString().endsWith(".jar")) {
            return Stream.of(entry);
        }
        try (JarFile jar = new JarFile(entry.toFile())) {
            Manifest manifest = jar.getManifest();
            String named =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return named == null
                    ? Stream.of(entry)
                    : Stream.concat(
                            Stream.of(entry),
                            Stream.of(named.split(" ", -1))
                                    .map(url -> Path.of(entry.toUri().resolve(url))));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + entry, e);
        }
    }
}
