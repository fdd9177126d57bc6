// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts of a checkout and of a distribution do before they start Java; nothing is built here. */
@Tag("thorough")
@SideBySide
class LauncherIT {
    private static final String OF_CHECKOUT = "../keyslot";
    private static final String OF_DISTRIBUTION = "src/distribution/bin/keyslot";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {OF_CHECKOUT, OF_DISTRIBUTION})
    void javaHome_withoutJava_isOneLineAndExit1(String script) throws Exception {
        assertThat(launched(script, Map.of("JAVA_HOME", directory.toString())))
                .isEqualTo("keyslot: JAVA_HOME is " + directory
                        + ", which has no bin/java; let it name a JDK 17 or later\nexit 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {OF_CHECKOUT, OF_DISTRIBUTION})
    void javaOlderThan17_isOneLineAndExit1(String script) throws Exception {
        javaOfVersion("11");

        assertThat(launched(script, Map.of("JAVA_HOME", directory.toString())))
                .isEqualTo("keyslot: " + directory
                        + "/bin/java is older than Java 17; set JAVA_HOME to a JDK 17 or later\nexit 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {OF_CHECKOUT, OF_DISTRIBUTION})
    void java8_whichHasADotInItsVersion_isTooOld(String script) throws Exception {
        javaOfVersion("1.8");

        assertThat(launched(script, Map.of("JAVA_HOME", directory.toString()))).contains("is older than Java 17");
    }

    @ParameterizedTest
    @ValueSource(strings = {OF_CHECKOUT, OF_DISTRIBUTION})
    void noJava_isOneLineAndExit1(String script) throws Exception {
        Files.createDirectories(directory.resolve("bin"));
        for (String tool : new String[] {"sh", "dirname", "readlink", "sed"}) {
            Files.createSymbolicLink(directory.resolve("bin").resolve(tool), onPath(tool));
        }

        assertThat(launched(script, Map.of("PATH", directory.resolve("bin").toString())))
                .isEqualTo(
                        "keyslot: there is no java on the PATH; install a JDK 17 or later, or set JAVA_HOME\nexit 1");
    }

    private void javaOfVersion(String version) throws IOException {
        Path java = directory.resolve("bin").resolve("java");
        Files.createDirectories(directory.resolve("bin"));
        Files.writeString(java, "#!/bin/sh\necho '    java.specification.version = " + version + "' >&2\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path onPath(String tool) {
        for (String place : System.getenv("PATH").split(":", -1)) {
            Path file = Path.of(place, tool);
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        throw new IllegalStateException(tool + " is not on the PATH");
    }

    private String launched(String script, Map<String, String> environment) throws Exception {
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(script).toAbsolutePath().toString(), "--version")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().remove("JAVA_HOME");
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        return Files.readString(output).strip() + "\nexit " + exitCode;
    }
}
