// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Servers for a test: processes where a server is installed, else containers where a Docker engine answers.
 *
 * <p>Where there is neither, the test fails and says what to install. A test that kills or suspends servers takes
 * {@link LocalServers}.
 */
public final class TestServers implements AutoCloseable {
    private static final DockerImageName IMAGE = DockerImageName.parse("valkey/valkey:8.1");
    private static final int PORT_IN_CONTAINER = 6379;

    private final List<Integer> ports = new ArrayList<>();
    private final AutoCloseable servers;

    private TestServers(List<Integer> ports, AutoCloseable servers) {
        this.ports.addAll(ports);
        this.servers = servers;
    }

    /** Starts {@code count} servers with the same further arguments, such as {@code "--maxmemory", "64mb"}. */
    public static TestServers start(int count, String... arguments) {
        if (ServerBinary.isPresent()) {
            LocalServers servers = LocalServers.create();
            return new TestServers(
                    servers.start(count, arguments).stream()
                            .map(LocalServer::port)
                            .toList(),
                    servers);
        }
        if (DockerClientFactory.instance().isDockerAvailable()) {
            return inContainers(count, arguments);
        }
        throw new IllegalStateException("No server for this test: install one (apt-get install redis-server), name its"
                + " file in KEYSLOT_SERVER_BINARY, or start a Docker engine");
    }

    private static TestServers inContainers(int count, String... arguments) {
        List<String> command = new ArrayList<>(List.of("valkey-server", "--save", "", "--protected-mode", "no"));
        command.addAll(List.of(arguments));
        List<GenericContainer<?>> containers = IntStream.range(0, count)
                .<GenericContainer<?>>mapToObj(index -> new GenericContainer<>(IMAGE)
                        .withCommand(command.toArray(String[]::new))
                        .withExposedPorts(PORT_IN_CONTAINER))
                .toList();
        containers.forEach(GenericContainer::start);
        return new TestServers(
                containers.stream()
                        .map(container -> container.getMappedPort(PORT_IN_CONTAINER))
                        .toList(),
                () -> containers.forEach(GenericContainer::stop));
    }

    /** Returns the ports on this machine. */
    public List<Integer> ports() {
        return List.copyOf(ports);
    }

    /** Returns the address of one server: {@code redis://127.0.0.1:6379}. */
    public String uri(int index) {
        return "redis://127.0.0.1:" + ports.get(index);
    }

    /** Returns the addresses of all servers. */
    public List<String> uris() {
        return IntStream.range(0, ports.size()).mapToObj(this::uri).toList();
    }

    @Override
    public void close() throws Exception {
        servers.close();
    }
}
