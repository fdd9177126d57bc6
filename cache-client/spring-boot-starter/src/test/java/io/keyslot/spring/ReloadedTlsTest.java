// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.config.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** A bundle that is read again counts for the next connection. */
class ReloadedTlsTest {
    private static final String PASSWORD = "pass-of-the-store";

    @TempDir
    private Path folder = Path.of("");

    /** Makes a certificate that trusts itself and everybody's: all are in one store of trust. */
    private KeyStore identity(String name) throws Exception {
        Path store = folder.resolve(name);
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process made = new ProcessBuilder(
                        keytool.toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-genkeypair",
                        "-alias",
                        name,
                        "-dname",
                        "CN=" + name,
                        "-keyalg",
                        "EC",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        assertThat(made.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(store)) {
            keys.load(content, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static KeyStore trusting(KeyStore... all) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (KeyStore one : all) {
            String alias = one.aliases().nextElement();
            trusted.setCertificateEntry(alias, one.getCertificate(alias));
        }
        return trusted;
    }

    private static SslBundle bundle(KeyStore identity, @Nullable KeyStore trusted) {
        return bundle(identity, trusted, SslOptions.NONE, SslBundle.DEFAULT_PROTOCOL);
    }

    private static SslBundle bundle(
            KeyStore identity, @Nullable KeyStore trusted, SslOptions options, String protocol) {
        return SslBundle.of(
                SslStoreBundle.of(identity, PASSWORD, trusted), SslBundleKey.of(PASSWORD), options, protocol);
    }

    private static SslOptions offering(@Nullable String protocol, @Nullable String cipher) {
        return SslOptions.of(cipher == null ? null : Set.of(cipher), protocol == null ? null : Set.of(protocol));
    }

    @Test
    void nextConnection_showsTheCertificateOfTheBundleAsItIsThen() throws Exception {
        KeyStore server = identity("server");
        KeyStore before = identity("before");
        KeyStore after = identity("after");
        KeyStore trusted = trusting(server, before, after);
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("shop", bundle(before, trusted));
        LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (SSLServerSocket socket = listen(bundle(server, trusted), session -> seen.add(name(session)))) {
            try (PartitionedCacheManager manager = start(socket.getLocalPort(), bundles)) {
                assertThat(manager.partitions()).hasSize(1);
                assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("CN=before");

                bundles.updateBundle("shop", bundle(after, trusted));
                assertThat(nextOther(seen)).isEqualTo("CN=after");
            }
        }
    }

    @Test
    void connections_offerWhatTheBundleSaysThen() throws Exception {
        KeyStore server = identity("server");
        KeyStore trusted = trusting(server);
        Map<String, SslBundle> bundles = new LinkedHashMap<>();
        for (String offered : List.of(
                "TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                "TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                "TLSv1.3 TLS_AES_128_GCM_SHA256",
                "TLSv1.3 TLS_AES_256_GCM_SHA384")) {
            SslOptions options = offering(offered.substring(0, 7), offered.substring(8));
            bundles.put(offered, bundle(server, trusted, options, SslBundle.DEFAULT_PROTOCOL));
        }
        bundles.put("TLSv1.2", bundle(server, trusted, SslOptions.NONE, "TLSv1.2"));
        bundles.put("TLSv1.3", bundle(server, trusted));
        DefaultSslBundleRegistry registry =
                new DefaultSslBundleRegistry("shop", bundles.values().iterator().next());
        LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (SSLServerSocket socket = listen(
                        bundle(server, trusted),
                        session -> seen.add(session.getProtocol() + " " + session.getCipherSuite()));
                PartitionedCacheManager manager = start(socket.getLocalPort(), registry)) {
            assertThat(manager.partitions()).hasSize(1);
            for (Map.Entry<String, SslBundle> next : bundles.entrySet()) {
                registry.updateBundle("shop", next.getValue());
                seen.clear();
                String first = seen.poll(20, TimeUnit.SECONDS);
                boolean hasBegunBefore = first != null && !first.startsWith(next.getKey());
                assertThat(hasBegunBefore ? seen.poll(20, TimeUnit.SECONDS) : first)
                        .startsWith(next.getKey());
            }
        }
    }

    @Test
    void protocolOrCipherThatTheJvmDoesNotHave_isRefused_andLeavesWhatWasThere() throws Exception {
        KeyStore server = identity("server");
        ReloadedTls tls = new ReloadedTls(bundle(server, trusting(server)));
        TlsOptions.Material before = tls.options().material();

        for (SslOptions unknown : List.of(offering("TLSv9", null), offering(null, "TLS_NONE"))) {
            SslBundle bundle = bundle(server, null, unknown, SslBundle.DEFAULT_PROTOCOL);
            assertThatThrownBy(() -> new ReloadedTls(bundle)).isInstanceOf(IllegalArgumentException.class);
            tls.update(bundle);
            assertThat(tls.options().material()).isSameAs(before);
        }
    }

    @Test
    void bundleThatCannotBeUsed_leavesWhatWasThere() throws Exception {
        KeyStore before = identity("before");
        ReloadedTls tls = new ReloadedTls(bundle(before, trusting(before)));

        tls.update(SslBundle.of(SslStoreBundle.of(identity("other"), "wrong", null)));

        KeyManagerFactory identity =
                Objects.requireNonNull(tls.options().material().identity());
        X509KeyManager keys = (X509KeyManager) identity.getKeyManagers()[0];
        assertThat(keys.getClientAliases("EC", null)).singleElement().asString().contains("before");
    }

    private static @Nullable String nextOther(LinkedBlockingQueue<String> seen) throws InterruptedException {
        String name = "CN=before";
        while ("CN=before".equals(name)) { // one may be on its way
            name = seen.poll(20, TimeUnit.SECONDS);
        }
        return name;
    }

    private static PartitionedCacheManager start(int port, DefaultSslBundleRegistry bundles) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "given",
                        Map.of(
                                "keyslot.ssl.bundle",
                                "shop",
                                "keyslot.partitions",
                                "rediss://127.0.0.1:" + port,
                                "keyslot.startup.wait",
                                "0ms",
                                "keyslot.deadlines.connect",
                                "1s")));
        ManagerProperties properties = new ManagerProperties(environment);
        properties.encrypt(bundles);
        return properties.start(null);
    }

    private static String name(SSLSession session) {
        try {
            X509Certificate shown = (X509Certificate) session.getPeerCertificates()[0];
            return shown.getSubjectX500Principal().getName();
        } catch (SSLPeerUnverifiedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens a server that closes each connection after its handshake. */
    private static SSLServerSocket listen(SslBundle bundle, Consumer<SSLSession> onHandshake) throws IOException {
        SSLServerSocket socket = (SSLServerSocket) bundle.createSslContext()
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
        socket.setNeedClientAuth(true);
        Thread accepting = new Thread(() -> accept(socket, onHandshake));
        accepting.setDaemon(true);
        accepting.start();
        return socket;
    }

    private static void accept(SSLServerSocket socket, Consumer<SSLSession> onHandshake) {
        while (true) {
            try (SSLSocket accepted = (SSLSocket) socket.accept()) {
                accepted.startHandshake();
                onHandshake.accept(accepted.getSession());
            } catch (IOException e) {
                if (socket.isClosed()) {
                    return;
                }
            }
        }
    }
}
