// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the server program: the configured one, else the first one on the PATH. */
final class ServerBinary {
    static final String PROPERTY = "keyslot.server.binary";
    static final String VARIABLE = "KEYSLOT_SERVER_BINARY";

    private static final List<String> NAMES = List.of("redis-server", "valkey-server");

    private ServerBinary() {}

    static Path find() {
        return find(System.getProperty(PROPERTY, System.getenv(VARIABLE)), System.getenv("PATH"));
    }

    static boolean isPresent() {
        return System.getProperty(PROPERTY, System.getenv(VARIABLE)) != null
                || onPath(System.getenv("PATH")).isPresent();
    }

    static Path find(@Nullable String configured, @Nullable String path) {
        if (configured == null) {
            return onPath(path)
                    .orElseThrow(
                            () -> new IllegalStateException(("No server to start: neither %s is on the PATH. Install"
                                            + " one (apt-get install redis-server, dnf install valkey), or"
                                            + " name its file in the environment variable %s or the system property %s")
                                    .formatted(String.join(" nor ", NAMES), VARIABLE, PROPERTY)));
        }
        Path binary = Path.of(configured);
        if (!Files.isExecutable(binary)) {
            throw new IllegalStateException("No server to start: %s, named by %s or %s, is not an executable file"
                    .formatted(binary, VARIABLE, PROPERTY));
        }
        return binary;
    }

    private static Optional<Path> onPath(@Nullable String path) {
        List<String> directories = path == null ? List.of() : List.of(path.split(Pattern.quote(File.pathSeparator)));
        return NAMES.stream()
                .flatMap(name -> directories.stream().map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
