// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.server.BenchmarkServers;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A build without something is still a cache: otherwise it would be compared at another task. */
class SafetyBuildsIT {
    private static final long MOST_SECONDS = 60;
    private static final BenchmarkServers SERVERS = BenchmarkServers.start(3);

    @AfterAll
    static void endServers() {
        SERVERS.close();
    }

    static List<SafetyBuild> builds() {
        return SafetyFeature.builds().stream().map(SafetyBuild::new).toList();
    }

    /** Each in a JVM of its own, as they are measured: a build without deadlines may wait for ever. */
    @ParameterizedTest
    @MethodSource("builds")
    void whatWasPut_isRead(SafetyBuild build, @TempDir Path directory) throws Exception {
        Path classes = build.compile(directory);
        List<String> changed = build.sources(Checkout.ofThisProgram()).keySet().stream()
                .map(SafetyBuildsIT::className)
                .toList();
        Path output = directory.resolve("output");
        Path log = directory.resolve("log");

        Process process = new ProcessBuilder(command(classes, changed))
                .redirectOutput(output.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS))
                    .as(() -> "it ends; its log: " + read(log))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }

        URL place = classes.toUri().toURL();
        List<String> expected = new ArrayList<>(List.of("on servers: as it was put", "embedded: as it was put"));
        changed.forEach(name -> expected.add(name + " of " + place));
        assertThat(read(output).lines()).as(() -> "its log: " + read(log)).containsExactlyElementsOf(expected);
    }

    private static String className(Path source) {
        return source.toString().replace(".java", "").replace(File.separatorChar, '.');
    }

    private static List<String> command(Path classes, List<String> changed) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(classes + File.pathSeparator + System.getProperty("java.class.path"));
        command.add(PutAndGet.class.getName());
        command.add(SERVERS.uris().stream().map(URI::toString).collect(Collectors.joining(",")));
        command.addAll(changed);
        return command;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "%s cannot be read: %s".formatted(file, e);
        }
    }
}
