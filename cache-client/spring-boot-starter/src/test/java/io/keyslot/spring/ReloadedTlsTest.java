// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCacheManager;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
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
        return SslBundle.of(SslStoreBundle.of(identity, PASSWORD, trusted), SslBundleKey.of(PASSWORD));
    }

    @Test
    void nextConnection_showsTheCertificateOfTheBundleAsItIsThen() throws Exception {
        KeyStore server = identity("server");
        KeyStore before = identity("before");
        KeyStore after = identity("after");
        KeyStore trusted = trusting(server, before, after);
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("shop", bundle(before, trusted));
        LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (SSLServerSocket socket = (SSLServerSocket) bundle(server, trusted)
                .createSslContext()
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            socket.setNeedClientAuth(true);
            Thread accepting = new Thread(() -> accept(socket, seen));
            accepting.setDaemon(true);
            accepting.start();

            try (PartitionedCacheManager manager = start(socket.getLocalPort(), bundles)) {
                assertThat(manager.partitions()).hasSize(1);
                assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo("CN=before");

                bundles.updateBundle("shop", bundle(after, trusted));
                assertThat(nextOther(seen)).isEqualTo("CN=after");
            }
        }
    }

    @Test
    void bundleThatCannotBeUsed_leavesWhatWasThere() throws Exception {
        KeyStore before = identity("before");
        ReloadedTls tls = new ReloadedTls(bundle(before, trusting(before)));

        tls.update(SslBundle.of(SslStoreBundle.of(identity("other"), "wrong", null)));

        X509KeyManager keys =
                (X509KeyManager) tls.options().identity().orElseThrow().get().getKeyManagers()[0];
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

    /** Notes who comes, and sends everybody away. */
    private static void accept(SSLServerSocket socket, LinkedBlockingQueue<String> seen) {
        while (true) {
            try (SSLSocket accepted = (SSLSocket) socket.accept()) {
                accepted.startHandshake();
                X509Certificate shown = (X509Certificate) accepted.getSession().getPeerCertificates()[0];
                seen.add(shown.getSubjectX500Principal().getName());
            } catch (IOException e) {
                if (socket.isClosed()) {
                    return;
                }
            }
        }
    }
}
