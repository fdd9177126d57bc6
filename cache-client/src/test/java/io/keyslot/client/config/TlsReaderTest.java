// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.ConfigNode.Location;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsReaderTest {
    /** Made for this test, by openssl. */
    private static final String KEY = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpYCw68WYAMGKA+mf
            QL2d/3Z2EQCOG1ts4LyYvVqI19qhRANCAARWkLa4d5CKRGPUTVLcs7LmZIV2tE4K
            YoadYSqHN3BUQYP80AHJMt4xWayEhTgoi8ubGbGIt2Pn/jRBcSwx9hA0
            -----END PRIVATE KEY-----
            """;

    private static final String CERTIFICATE = """
            -----BEGIN CERTIFICATE-----
            MIIBeDCCAR+gAwIBAgIUKW7lpuH0wOCUaG+ftxpiJ9melDQwCgYIKoZIzj0EAwIw
            ETEPMA0GA1UEAwwGY2xpZW50MCAXDTI2MTEyMjE2MTUzM1oYDzIxMjYxMDI5MTYx
            NTMzWjARMQ8wDQYDVQQDDAZjbGllbnQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
            AARWkLa4d5CKRGPUTVLcs7LmZIV2tE4KYoadYSqHN3BUQYP80AHJMt4xWayEhTgo
            i8ubGbGIt2Pn/jRBcSwx9hA0o1MwUTAdBgNVHQ4EFgQUeTdFW9WbZV0A6Pr3C0qb
            QzR9TmMwHwYDVR0jBBgwFoAUeTdFW9WbZV0A6Pr3C0qbQzR9TmMwDwYDVR0TAQH/
            BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBWyWjCfXo5NE42fAoZMBOJgkRj6rhI
            KfZ6jaQVcKv3/wIgRlIZv+Fs4VvDEIRCwE/IYCX0t93vbK9NL2Pm+tQ5S+E=
            -----END CERTIFICATE-----
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        write("key.pem", KEY);
        write("client.pem", CERTIFICATE);
        write("text.txt", "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n");
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(directory.resolve(name), content);
    }

    /** Returns a configuration with these settings of TLS, {@code %s} of which is the directory. */
    private Given tls(String... settings) {
        return Given.yaml("tls: { " + String.join(", ", settings).replace("%s", directory.toString()) + " }");
    }

    @Test
    void certificateAndKey_areRead() {
        TlsOptions options = tls("certificate: '%s/client.pem'", "key: '%s/key.pem'", "authorities: '%s/client.pem'")
                .options()
                .access()
                .tls();

        assertThat(options.material().identity()).isNotNull();
        assertThat(options.material().trusted()).isNotNull();
    }

    @Test
    void allProblems_areReportedAtOnceWithoutContents() {
        List<String> problems = tls("certificate: '%s/text.txt'", "key: '%s/text.txt'", "authorities: '%s/none.pem'")
                .problems();

        assertThat(problems)
                .hasSize(3)
                .anySatisfy(problem -> assertThat(problem).endsWith("tls.certificate has no certificate in PEM form"))
                .anySatisfy(problem -> assertThat(problem).contains("openssl pkcs8 -topk8"))
                .anySatisfy(
                        problem -> assertThat(problem).contains("tls.authorities names a file that does not exist"));
        assertThat(String.join(" ", problems)).doesNotContain("AAAA");
    }

    @Test
    void keyOfAnotherForm_saysHowToConvertIt() {
        assertThat(tls("certificate: '%s/client.pem'", "key: '%s/text.txt'").problems())
                .singleElement()
                .asString()
                .contains("openssl pkcs8 -topk8");
    }

    @Test
    void halves_areProblems() {
        assertThat(tls("certificate: '%s/client.pem'").problems())
                .containsExactly("keyslot.yaml:1:8: tls.certificate is given, but tls.key is not");
        assertThat(tls("key: '%s/client.pem'").problems())
                .containsExactly("keyslot.yaml:1:8: tls.key is given, but tls.certificate is not");
    }

    @Test
    void keyStoreOfTheJvm_isReadOnlyIfAConnectionIsEncrypted() {
        Map<String, String> properties = Map.of(
                "javax.net.ssl.keyStore",
                directory.resolve("none.p12").toString(),
                "javax.net.ssl.keyStorePassword",
                "secret-of-the-jvm");
        for (boolean isUsed : List.of(true, false)) {
            Problems problems = new Problems();
            ConfigNode.Mapping nothing = new ConfigNode.Mapping(Location.ofProperty("x"), Map.of());
            Section section = Section.root(problems, new Substitution(name -> null), nothing)
                    .section("tls");

            TlsOptions options = new TlsReader(section, properties::get).read(isUsed);

            assertThat(options).isEqualTo(TlsOptions.defaults());
            assertThat(problems.inOrder())
                    .hasSize(isUsed ? 1 : 0)
                    .allSatisfy(problem -> assertThat(problem)
                            .startsWith("system property javax.net.ssl.keyStore: names a file that does not exist")
                            .doesNotContain("secret-of-the-jvm"));
        }
    }
}
