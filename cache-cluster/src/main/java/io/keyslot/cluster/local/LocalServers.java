// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Servers on this machine that end with this object, or with a JVM that ends normally. Each listens on a free port of
 * 127.0.0.1 only, and stores nothing on disk unless an argument requests it. Safe for use by several threads.
 */
public final class LocalServers implements AutoCloseable {
    /** Another process may take the free port before the server does. */
    private static final int PORTS_TO_TRY = 3;

    /** A server in cluster mode also listens on the port 10,000 above. */
    private static final int HIGHEST_PORT = 55_535;

    private final Launcher launcher;
    private final Path directory;
    private final List<LocalServer> servers = new ArrayList<>();
    private final Thread atShutdown = new Thread(this::endAll, "keyslot-local-servers-shutdown");
    private boolean closed;

    private LocalServers(Launcher launcher, Path directory) {
        this.launcher = launcher;
        this.directory = directory;
    }

    /**
     * Finds the server program: {@code redis-server} or {@code valkey-server} on the PATH, or the file in
     * {@code KEYSLOT_SERVER_BINARY} or {@code keyslot.server.binary}. Throws IllegalStateException if there is none.
     */
    public static LocalServers create() {
        return create(new Launcher.OfProcesses(ServerBinary.find()));
    }

    static LocalServers create(Launcher launcher) {
        try {
            LocalServers servers = new LocalServers(launcher, Files.createTempDirectory("keyslot-"));
            Runtime.getRuntime().addShutdownHook(servers.atShutdown);
            return servers;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create a directory for local servers", e);
        }
    }

    /** Starts {@code count} servers with the same arguments; see {@link #start(String...)}. */
    public List<LocalServer> start(int count, String... arguments) {
        return Stream.generate(() -> start(arguments)).limit(count).toList();
    }

    /**
     * Starts a server and waits until it answers. Arguments are for the program, possibly after a configuration file.
     * Throws IllegalStateException with the end of its log if it does not answer in time.
     */
    public synchronized LocalServer start(String... arguments) {
        if (closed) {
            throw new IllegalStateException("Local servers are closed");
        }
        IllegalStateException failure = null;
        for (int attempt = 0; attempt < PORTS_TO_TRY; attempt++) {
            LocalServer server = new LocalServer(launcher, directory, freePort(), List.of(arguments));
            try {
                server.start();
                servers.add(server);
                return server;
            } catch (IllegalStateException e) {
                server.close();
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        throw new IllegalStateException(
                "A local server did not start on any of %d ports".formatted(PORTS_TO_TRY), failure);
    }

    private static int freePort() {
        while (true) {
            try (ServerSocket socket = new ServerSocket(0, 1, LocalServer.loopback())) {
                if (socket.getLocalPort() <= HIGHEST_PORT) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot find a free port of 127.0.0.1", e);
            }
        }
    }

    public synchronized List<LocalServer> servers() {
        return List.copyOf(servers);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (!isShuttingDown()) {
                endAll();
            }
        }
    }

    /** Removes the shutdown hook. Returns true if the JVM is shutting down, when the hook does the work. */
    private boolean isShuttingDown() {
        try {
            Runtime.getRuntime().removeShutdownHook(atShutdown);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private void endAll() {
        servers.forEach(LocalServer::close);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot remove the files of local servers", e);
        }
    }
}
