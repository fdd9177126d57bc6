// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encrypted connections to real servers: who is let in, and what is said otherwise. */
@SuppressWarnings("NullAway.Init") // what is started is set before all tests
@SideBySide
class TlsIT {
    /** The alert comes after the client's end of the handshake. */
    private static final int REPEATED = 10;

    private static final String HOST = "ip:127.0.0.1";

    @TempDir
    private static Path directory;

    private static Certificates certificates;

    @AutoClose
    private static LocalServers servers;

    private static int plain;
    private static int open;
    private static int closed;
    private static int closedBefore13;
    private static int serverExpired;
    private static int serverEarly;
    private static int serverElsewhere;

    @BeforeAll
    static void startServers() throws Exception {
        certificates = Certificates.in(directory);
        certificates.issue("server", HOST);
        certificates.issue("client", "dns:client.example");
        certificates.issue("client-expired", "dns:client.example", "-startdate", "-10d", "-validity", "5");
        certificates.issue("expired", HOST, "-startdate", "-10d", "-validity", "5");
        certificates.issue("early", HOST, "-startdate", "+5d", "-validity", "5");
        certificates.issue("elsewhere", "dns:elsewhere.example,ip:192.0.2.1");
        servers = TestServers.none();
        serverExpired = start("expired", "--tls-auth-clients", "no");
        serverEarly = start("early", "--tls-auth-clients", "no");
        serverElsewhere = start("elsewhere", "--tls-auth-clients", "no");
        open = start("server", "--tls-auth-clients", "no");
        closed = start("server");
        closedBefore13 = start("server", "--tls-protocols", "TLSv1.2");
        plain = servers.start().port();
    }

    /** Returns the port for encrypted connections. */
    private static int start(String alias, String... arguments) throws Exception {
        int port = freePort();
        List<String> all = new ArrayList<>(List.of(
                "--tls-port", Integer.toString(port),
                "--tls-cert-file", certificates.certificate(alias).toString(),
                "--tls-key-file", certificates.key(alias).toString(),
                "--tls-ca-cert-file", certificates.authority().toString()));
        all.addAll(List.of(arguments));
        servers.start(all.toArray(String[]::new));
        return port;
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Map<String, String> certificate(String alias) throws Exception {
        return Map.of(
                "keyslot.tls.certificate", certificates.certificate(alias).toString(),
                "keyslot.tls.key", certificates.key(alias).toString());
    }

    @Test
    void serverThatWantsACertificate_letsInWhoHasOne() throws Exception {
        for (int port : List.of(closed, closedBefore13)) {
            assertThatWorks(port, certificate("client"));
        }
    }

    private static void assertThatWorks(int port, Map<String, String> settings) throws Exception {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(authority());
        try (CacheManager manager = KeyslotManagers.openPatiently("tls-" + port, List.of(uri(port)), all)) {
            var cache = manager.createCache("c", new MutableConfiguration<String, String>());
            cache.put("k", "v");
            assertThat(cache.get("k")).isEqualTo("v");
        }
    }

    private static String uri(int port) {
        return "rediss://127.0.0.1:" + port;
    }

    @Test
    void authority_isTrusted() throws Exception {
        assertThatWorks(open, Map.of());
    }

    private static Map<String, String> authority() throws Exception {
        return Map.of("keyslot.tls.authorities", certificates.authority().toString());
    }

    @Test
    void keyStoreOfTheJvm_isShownIfNoOtherIsConfigured() throws Exception {
        try (SystemProperties properties = new SystemProperties()) {
            properties.set(
                    "javax.net.ssl.keyStore", certificates.storeOf("client").toString());
            properties.set("javax.net.ssl.keyStorePassword", Certificates.PASSWORD);
            properties.set(
                    "javax.net.ssl.trustStore",
                    certificates.storeOfAuthority("PKCS12").toString());
            properties.set("javax.net.ssl.trustStorePassword", Certificates.PASSWORD);
            try (CacheManager manager = KeyslotManagers.openPatiently("tls-jvm", List.of(uri(closed)))) {
                assertThat(manager.isClosed()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noCertificate_isOneRefusalThatStopsTheStart(boolean version13) throws Exception {
        for (int i = 0; i < REPEATED; i++) {
            assertThat(refusal(uri(version13 ? closed : closedBefore13), authority()))
                    .contains("wants a certificate of the client", "tls.certificate");
        }
    }

    @Test
    void certificateThatHasExpired_isRefusedAsSuch() throws Exception {
        Map<String, String> settings = new HashMap<>(certificate("client-expired"));
        settings.putAll(authority());
        assertThat(refusal(uri(closed), settings))
                .contains("our certificate has expired")
                .doesNotContain(Certificates.PASSWORD);
    }

    @Test
    void certificateOfAnotherAuthority_isRefusedAsSuch() throws Exception {
        Certificates others = Certificates.in(Files.createDirectory(directory.resolve("others")));
        others.issue("client", "dns:client.example");
        Map<String, String> settings = new HashMap<>(authority());
        settings.put("keyslot.tls.certificate", others.certificate("client").toString());
        settings.put("keyslot.tls.key", others.key("client").toString());
        assertThat(refusal(uri(closed), settings)).contains("does not know the authority of our certificate");
    }

    @Test
    void certificateOfTheServer_hasAnotherTextForEachThingThatIsWrong() throws Exception {
        String unknown = refusal(uri(open), Map.of());
        String expired = refusal(uri(serverExpired), authority());
        String early = refusal(uri(serverEarly), authority());
        String otherHost = refusal(uri(serverElsewhere), authority());

        assertThat(unknown).contains("of an authority that is not trusted here", "tls.authorities");
        assertThat(expired).contains("has expired", "renew it");
        assertThat(early).contains("not valid yet", "clocks");
        assertThat(otherHost).contains("not for this host", "a name that is in it");
    }

    @Test
    void jvmThatTrustsNobody_isToldSo() throws Exception {
        try (SystemProperties properties = new SystemProperties()) {
            properties.set("javax.net.ssl.trustStore", certificates.emptyStore().toString());
            properties.set("javax.net.ssl.trustStorePassword", Certificates.PASSWORD);
            assertThat(refusal(uri(open), Map.of())).contains("trusts no authority at all");
        }
    }

    @Test
    void encryptedConnectionToAPlainPort_isNamed() {
        awaitProblem("rediss://127.0.0.1:" + plain, "use redis:// instead of rediss://");
    }

    @Test
    void plainConnectionToAnEncryptedPort_isNamed() {
        awaitProblem("redis://127.0.0.1:" + open, "use rediss:// instead of redis://");
    }

    /** Waits for a reason why the only partition is missing, after a start that goes on without it. */
    private static void awaitProblem(String uri, String expected) {
        Map<String, String> settings = Map.of("keyslot.deadlines.connect", "1s");
        try (CacheManager manager = KeyslotManagers.open("tls-problem", List.of(uri), settings)) {
            await().untilAsserted(() -> assertThat(manager.unwrap(PartitionedCacheManager.class)
                            .partitions()
                            .get(0)
                            .problem())
                    .contains(expected));
        }
    }

    private static String refusal(String uri, Map<String, String> settings) {
        Throwable thrown = catchThrowable(() -> KeyslotManagers.openPatiently("tls-refused", List.of(uri), settings)
                .close());
        assertThat(thrown).isInstanceOf(CacheException.class);
        return String.valueOf(thrown.getMessage());
    }

    /** Those of this JVM, until closed. */
    private static final class SystemProperties implements AutoCloseable {
        private final Map<String, Optional<String>> before = new HashMap<>();

        void set(String key, String value) {
            before.putIfAbsent(key, Optional.ofNullable(System.setProperty(key, value)));
        }

        @Override
        public void close() {
            before.forEach((key, value) ->
                    value.ifPresentOrElse(old -> System.setProperty(key, old), () -> System.clearProperty(key)));
        }
    }
}
