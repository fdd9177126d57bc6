// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import io.keyslot.cluster.local.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Starts new, empty servers before the tests of a JVM, and ends them after. Their addresses go into a
 * {@code keyslot.yaml} on the class path, where an application has it. The deadlines in it are long, as a machine that
 * builds is slow at times.
 *
 * <p>The system property {@code tck.classpath} names the folder of the class path that the file is written to;
 * {@code tck.settings} is a line of it more, if there is one.
 */
public final class ServersOfTheRun implements LauncherSessionListener {
    private static final int SERVERS = 3;

    private @Nullable TestServers servers;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        servers = TestServers.start(SERVERS);
        write(Path.of(System.getProperty("tck.classpath"), "keyslot.yaml"), """
                engine: instances
                partitions: [ %s ]
                deadlines: { call: 5s, command: 2s }
                codec:
                  allow: [ "domain.**", "org.jsr107.**" ]
                %s
                """.formatted(
                        String.join(", ", servers.uris()), System.getProperty("tck.settings", "")));
    }

    private static void write(Path file, String content) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (servers != null) {
            close(servers);
        }
    }

    private static void close(TestServers running) {
        try {
            running.close();
        } catch (Exception e) {
            throw new IllegalStateException("Cannot end the servers of the conformance tests", e);
        }
    }
}
