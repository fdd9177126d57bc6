// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.credentials;

import io.keyslot.cache.access.Credentials;
import io.keyslot.cache.access.CredentialsProvider;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Access tokens of the metadata server of a virtual machine: for Microsoft Entra (Azure Managed Redis, Azure Cache) and
 * Google IAM (Memorystore). Asks again when half of a token's time is over.
 */
final class MetadataToken implements CredentialsProvider {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(LONGEST).build();
    private final HttpRequest request;
    private final Clock clock;

    private MetadataToken(String uri, String header, String value, Clock clock) {
        this.request = HttpRequest.newBuilder(URI.create(uri))
                .header(header, value)
                .timeout(LONGEST)
                .build();
        this.clock = clock;
    }

    /** Entra, by a managed identity; the user is its object id, which the token contains. */
    static MetadataToken entra(String server, Clock clock) {
        String path = "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fredis.azure.com";
        return new MetadataToken(server + path, "Metadata", "true", clock); // server: http://169.254.169.254
    }

    /** Google, by the service account of the machine or pod; the user is the default user. */
    static MetadataToken google(String server, Clock clock) {
        String path = "/computeMetadata/v1/instance/service-accounts/default/token";
        return new MetadataToken(server + path, "Metadata-Flavor", "Google", clock); // http://metadata.google.internal
    }

    @Override
    public CompletionStage<Credentials> credentials(String partition) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(this::credentials);
    }

    private Credentials credentials(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            throw new IllegalStateException("The metadata server answers " + response.statusCode());
        }
        String json = response.body();
        String token = field(json, "access_token");
        boolean isOfGoogle = request.headers().firstValue("Metadata-Flavor").isPresent();
        long seconds = isOfGoogle
                ? Long.parseLong(field(json, "expires_in"))
                : Long.parseLong(field(json, "expires_on")) - clock.instant().getEpochSecond();
        String user = isOfGoogle ? "default" : field(claims(token), "oid");
        return new Credentials(user, token).askAgainAfter(Duration.ofSeconds(Math.max(1, seconds / 2)));
    }

    private static String claims(String token) {
        return new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), StandardCharsets.UTF_8);
    }

    /** Returns a field of a flat JSON object; the message does not contain the object, which may have a token. */
    private static String field(String json, String name) {
        Matcher found =
                Pattern.compile("\"" + name + "\"\\s*:\\s*\"?([^\",}\\s]+)").matcher(json);
        if (!found.find()) {
            throw new IllegalStateException("The metadata server answers without " + name);
        }
        return found.group(1);
    }
}
