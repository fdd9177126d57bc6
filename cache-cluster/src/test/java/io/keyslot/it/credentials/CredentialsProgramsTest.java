// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.keyslot.cache.access.Credentials;
import io.keyslot.cache.access.CredentialsProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The programs for cloud services compute what the services publish, and ask what their metadata servers answer. */
class CredentialsProgramsTest {
    private static final Clock AWS_EXAMPLE = Clock.fixed(Instant.parse("2015-08-30T12:36:00Z"), ZoneOffset.UTC);
    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

    private static AwsIam signer(String service, AwsIam.Keys keys) {
        return new AwsIam(Map.of("p1", "shop-cache"), "shop", "us-east-1", service, () -> keys, AWS_EXAMPLE);
    }

    /** Cases {@code get-vanilla-query-order-key-case} and {@code get-vanilla-with-session-token} of AWS's test suite. */
    @Test
    void signatures_areThoseOfThePublishedExamples() {
        AwsIam plain = signer("service", new AwsIam.Keys("AKIDEXAMPLE", SECRET, null));
        String token = "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267";
        AwsIam ofSession = signer("service", new AwsIam.Keys("AKIDEXAMPLE", SECRET, token));

        assertThat(plain.signed(
                        "example.amazonaws.com", Map.of("Param2", "value2", "Param1", "value1"), Duration.ofHours(1)))
                .endsWith("&X-Amz-Signature=86012e2c9ad4d77369f5d81c11f75158aae4f895a085212cc6d3f923d300bed5");
        assertThat(ofSession.signed("example.amazonaws.com", Map.of(), Duration.ofHours(1)))
                .endsWith("&X-Amz-Signature=7ff2b50b376cb4d151970630573d6291dc128cc5c2a12ffb237f73cc53f67b6c");
    }

    @Test
    void tokenOfElastiCache_isARequestToConnect() {
        AwsIam provider = signer("elasticache", new AwsIam.Keys("AKIDEXAMPLE", SECRET, null));

        Credentials credentials =
                provider.credentials("p1").toCompletableFuture().join();

        assertThat(credentials.username()).isEqualTo("shop");
        assertThat(credentials.password())
                .startsWith("shop-cache/?Action=connect&User=shop&X-Amz-Algorithm=AWS4-HMAC-SHA256")
                .contains("us-east-1%2Felasticache%2Faws4_request", "&X-Amz-Expires=900&");
        assertThat(credentials.askAgain()).isEqualTo(Duration.ofMinutes(10));
        assertThatThrownBy(() -> provider.credentials("p2")).hasMessageContaining("p2");
    }

    /** Returns the credentials of a provider whose metadata server gives this answer, and the requests that it got. */
    private static Credentials asked(
            java.util.function.Function<String, CredentialsProvider> provider,
            int status,
            String answer,
            List<String> requests)
            throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add("%s %s %s"
                    .formatted(
                            exchange.getRequestURI(),
                            exchange.getRequestHeaders().getFirst("Metadata"),
                            exchange.getRequestHeaders().getFirst("Metadata-Flavor")));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            return provider.apply("http://127.0.0.1:" + server.getAddress().getPort())
                    .credentials("p1")
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void tokenOfEntra_isForTheObjectThatItNames() throws Exception {
        List<String> requests = new CopyOnWriteArrayList<>();
        String claims = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(
                        "{\"aud\":\"https://redis.azure.com\",\"oid\":\"4c1b-77\"}".getBytes(StandardCharsets.UTF_8));
        String token = "header." + claims + ".signature";
        long expires = AWS_EXAMPLE.instant().getEpochSecond() + 3600;

        Credentials credentials = asked(
                server -> MetadataToken.entra(server, AWS_EXAMPLE),
                200,
                "{\"access_token\":\"%s\",\"expires_on\":\"%d\",\"token_type\":\"Bearer\"}".formatted(token, expires),
                requests);

        assertThat(requests)
                .containsExactly("/metadata/identity/oauth2/token?api-version=2018-02-01"
                        + "&resource=https%3A%2F%2Fredis.azure.com true null");
        assertThat(credentials).isEqualTo(new Credentials("4c1b-77", token, Duration.ofMinutes(30)));
    }

    @Test
    void tokenOfGoogle_isForTheDefaultUser() throws Exception {
        List<String> requests = new CopyOnWriteArrayList<>();

        Credentials credentials = asked(
                server -> MetadataToken.google(server, AWS_EXAMPLE),
                200,
                "{\"access_token\":\"ya29.token\",\"expires_in\":3599,\"token_type\":\"Bearer\"}",
                requests);

        assertThat(requests).containsExactly("/computeMetadata/v1/instance/service-accounts/default/token null Google");
        assertThat(credentials).isEqualTo(new Credentials("default", "ya29.token", Duration.ofSeconds(1799)));
    }

    @Test
    void otherAnswers_areFailures_withoutTheToken() {
        assertThatThrownBy(() -> asked(
                        server -> MetadataToken.google(server, AWS_EXAMPLE), 403, "", new CopyOnWriteArrayList<>()))
                .hasMessageContaining("403");
        assertThatThrownBy(() -> asked(
                        server -> MetadataToken.google(server, AWS_EXAMPLE),
                        200,
                        "{\"access_token\":\"ya29.token\"}",
                        new CopyOnWriteArrayList<>()))
                .hasMessageContaining("without expires_in")
                .hasMessageNotContaining("ya29");
    }
}
