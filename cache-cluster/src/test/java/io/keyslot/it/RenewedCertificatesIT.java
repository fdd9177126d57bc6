// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Authorities and certificates of one partition, and those that change while the client runs. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // what is made is set before all tests
@SideBySide
class RenewedCertificatesIT {
    private static final String HOST = "ip:127.0.0.1";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private static Path directory;

    private static Certificates one;
    private static Certificates other;

    @TempDir
    private Path files;

    @AutoClose
    private final LocalServers servers = TestServers.none();

    @BeforeAll
    static void issue() throws Exception {
        one = Certificates.in(Files.createDirectory(directory.resolve("one")));
        other = Certificates.in(Files.createDirectory(directory.resolve("other")));
        for (Certificates authority : List.of(one, other)) {
            authority.issue("server", HOST);
            authority.issue("named", "dns:cache.example");
            authority.issue("client", "dns:client.example");
        }
    }

    /** Puts what an authority has issued where servers and clients look for it. */
    private void install(Certificates from, String server) throws Exception {
        put(from.authority(), "ca.pem");
        put(from.authority(), "server-ca.pem");
        put(from.certificate(server), "server.pem");
        put(from.key(server), "server-key.pem");
        put(from.certificate("client"), "client.pem");
        put(from.key("client"), "client-key.pem");
    }

    private void put(Path from, String name) throws Exception {
        Path half = files.resolve(name + ".new");
        Files.copy(from, half, StandardCopyOption.REPLACE_EXISTING);
        Files.move(half, files.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private String file(String name) {
        return files.resolve(name).toString();
    }

    /** A server that wants a certificate of its clients; its port for encrypted connections is the second component. */
    private record Encrypted(LocalServer server, int port) {
        String uri() {
            return "rediss://127.0.0.1:" + port;
        }
    }

    private Encrypted start() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        LocalServer server = servers.start(
                "--tls-port", Integer.toString(port),
                "--tls-cert-file", file("server.pem"),
                "--tls-key-file", file("server-key.pem"),
                "--tls-ca-cert-file", file("server-ca.pem"));
        return new Encrypted(server, port);
    }

    private Map<String, String> settings(Encrypted server) {
        Map<String, String> settings = new HashMap<>();
        settings.put("keyslot.partitions.p1.uri", server.uri());
        settings.put("keyslot.partitions.p1.tls.authorities", file("ca.pem"));
        settings.put("keyslot.partitions.p1.tls.certificate", file("client.pem"));
        settings.put("keyslot.partitions.p1.tls.key", file("client-key.pem"));
        return settings;
    }

    private static Cache<String, String> cache(CacheManager manager) {
        return manager.createCache("c", new MutableConfiguration<>());
    }

    @Test
    void eachPartition_hasAuthoritiesOfItsOwn() throws Exception {
        install(one, "server");
        Encrypted first = start();
        Files.copy(other.authority(), files.resolve("ca2.pem"));
        Files.copy(other.certificate("server"), files.resolve("server2.pem"));
        Files.copy(other.key("server"), files.resolve("server2-key.pem"));
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        servers.start(
                "--tls-port", Integer.toString(port),
                "--tls-cert-file", file("server2.pem"),
                "--tls-key-file", file("server2-key.pem"),
                "--tls-ca-cert-file", file("ca2.pem"),
                "--tls-auth-clients", "no");
        Map<String, String> settings = settings(first);
        settings.put("keyslot.partitions.p2.uri", "rediss://127.0.0.1:" + port);
        settings.put("keyslot.partitions.p2.tls.authorities", file("ca2.pem"));

        try (CacheManager manager = KeyslotManagers.openMapped("tls-each", settings)) {
            Cache<String, String> cache = cache(manager);
            for (int i = 0; i < 50; i++) {
                cache.put("k" + i, "v" + i);
                assertThat(cache.get("k" + i)).isEqualTo("v" + i);
            }
            assertThat(manager.unwrap(PartitionedCacheManager.class).partitions())
                    .allMatch(partition -> partition.state() == PartitionState.HEALTHY);
        }

        settings.put("keyslot.partitions.p2.tls.authorities", file("ca.pem"));
        assertThat(catchThrowable(() ->
                        KeyslotManagers.openMapped("tls-swapped", settings).close()))
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("of an authority that is not trusted here");
    }

    @Test
    void nameOfTheCertificate_mayBeAnotherThanTheHost() throws Exception {
        install(one, "named");
        Encrypted server = start();
        Map<String, String> settings = settings(server);

        assertThat(catchThrowable(
                        () -> KeyslotManagers.openMapped("tls-host", settings).close()))
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("not for this host");
        settings.put("keyslot.partitions.p1.tls.serverName", "elsewhere.example");
        assertThat(catchThrowable(() ->
                        KeyslotManagers.openMapped("tls-elsewhere", settings).close()))
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("not for this host");

        settings.put("keyslot.partitions.p1.tls.serverName", "cache.example");
        try (CacheManager manager = KeyslotManagers.openMapped("tls-name", settings)) {
            Cache<String, String> cache = cache(manager);
            cache.put("k", "v");
            assertThat(cache.get("k")).isEqualTo("v");
        }
    }

    /** Server and client get everything from another authority, and the client is not started again. */
    @Test
    void renewedFiles_countFromTheNextConnectionOn() throws Exception {
        install(one, "server");
        Encrypted server = start();
        try (CacheManager manager = KeyslotManagers.openMapped("tls-renewed", settings(server))) {
            Cache<String, String> cache = cache(manager);
            cache.put("k", "v");

            install(other, "server");
            assertThat(cache.get("k")).isEqualTo("v"); // on the connection that is there
            server.server().restart();
            await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                cache.put("k", "w");
                return "w".equals(cache.get("k"));
            });
        }
    }

    /** Files are written one after the other, and not at once. */
    @Test
    void halvesOfFiles_leaveWhatWasThere() throws Exception {
        install(one, "server");
        Encrypted server = start();
        try (CacheManager manager = KeyslotManagers.openMapped("tls-halves", settings(server))) {
            Cache<String, String> cache = cache(manager);
            cache.put("k", "v");

            Files.writeString(files.resolve("ca.pem"), "-----BEGIN CERTIFICATE-----\n");
            put(other.key("client"), "client-key.pem");
            server.server().restart();
            await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                cache.put("k", "w");
                return "w".equals(cache.get("k"));
            });
        }
    }
}
