// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import java.util.List;
import org.testcontainers.DockerClientFactory;

/**
 * Servers for a test: processes where a server is installed, else containers where a Docker engine answers.
 *
 * <p>Where there is neither, the test fails and says what to install.
 */
public final class TestServers implements AutoCloseable {
    private final LocalServers servers;
    private final List<LocalServer> started;

    private TestServers(LocalServers servers, List<LocalServer> started) {
        this.servers = servers;
        this.started = started;
    }

    /** Starts {@code count} servers with the same further arguments, such as {@code "--maxmemory", "64mb"}. */
    public static TestServers start(int count, String... arguments) {
        LocalServers servers = none();
        return new TestServers(servers, servers.start(count, arguments));
    }

    /** Returns servers of which none is started yet. */
    public static LocalServers none() {
        return LocalServers.create(launcher());
    }

    private static Launcher launcher() {
        if (ServerBinary.isPresent()) {
            return new Launcher.OfProcesses(ServerBinary.find());
        }
        if (DockerClientFactory.instance().isDockerAvailable()) {
            return new ContainerLauncher();
        }
        throw new IllegalStateException("No server for this test: install one (apt-get install redis-server), name its"
                + " file in KEYSLOT_SERVER_BINARY, or start a Docker engine");
    }

    /** Returns the ports on this machine. */
    public List<Integer> ports() {
        return started.stream().map(LocalServer::port).toList();
    }

    /** Returns the address of one server: {@code redis://127.0.0.1:6379}. */
    public String uri(int index) {
        return started.get(index).uri();
    }

    /** Returns the addresses of all servers. */
    public List<String> uris() {
        return started.stream().map(LocalServer::uri).toList();
    }

    @Override
    public void close() {
        servers.close();
    }
}
