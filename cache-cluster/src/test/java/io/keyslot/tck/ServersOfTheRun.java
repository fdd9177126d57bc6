// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.cluster.local.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Starts new, empty servers before the tests of a JVM, and ends them after. Their addresses go into a
 * {@code keyslot.yaml} on the class path, where an application has it. The deadlines in it are long, as a machine that
 * builds is slow at times.
 *
 * <p>The system property {@code tck.engine} says whether they are instances or the nodes of a cluster; {@code tck.classpath} names the folder of the class path that the file is written to;
 * {@code tck.settings} is a line of it more, if there is one.
 */
public final class ServersOfTheRun implements LauncherSessionListener {
    private static final int SERVERS = 3;
    private static final int REPLICAS = 1;

    private @Nullable AutoCloseable servers;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        String engine = System.getProperty("tck.engine", "instances");
        List<String> addresses = engine.equals("cluster") ? startCluster() : startInstances();
        write(Path.of(System.getProperty("tck.classpath"), "keyslot.yaml"), """
            engine: %s
            partitions: [ %s ]
            startup: { wait: 10s }
            deadlines: { connect: 5s, call: 5s, command: 2s }
            codec:
              allow: [ "domain.**", "org.jsr107.**" ]
            %s
            """.formatted(
                        engine, String.join(", ", addresses), System.getProperty("tck.settings", "")));
    }

    private List<String> startInstances() {
        TestServers started = TestServers.start(SERVERS);
        servers = started;
        return started.uris();
    }

    private List<String> startCluster() {
        LocalCluster started = LocalCluster.start(SERVERS, REPLICAS);
        servers = started;
        return started.uris();
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

    private static void close(AutoCloseable running) {
        try {
            running.close();
        } catch (Exception e) {
            throw new IllegalStateException("Cannot end the servers of the conformance tests", e);
        }
    }
}
