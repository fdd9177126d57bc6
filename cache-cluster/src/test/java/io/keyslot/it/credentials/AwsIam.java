// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.credentials;

import io.keyslot.cache.access.Credentials;
import io.keyslot.cache.access.CredentialsProvider;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * IAM of Amazon ElastiCache and MemoryDB: the password is a signed request to connect, which is valid for 15 minutes.
 *
 * @param names by partition, the name of the replication group or cluster, in lower case
 * @param user both the name and the id of the user
 * @param service {@code elasticache} or {@code memorydb}
 * @param keys the present keys of the process, such as those of the SDK's DefaultCredentialsProvider; must not block for long
 */
record AwsIam(Map<String, String> names, String user, String region, String service, Supplier<Keys> keys, Clock clock)
        implements CredentialsProvider {
    /** The sessionToken is null for keys of a user, which do not expire. */
    record Keys(
            String accessKeyId,
            String secretAccessKey,
            @Nullable String sessionToken) {}

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    @Override
    public CompletionStage<Credentials> credentials(String partition) {
        String name = names.get(partition);
        if (name == null) {
            throw new IllegalArgumentException("No name of a cache for the partition " + partition);
        }
        return CompletableFuture.supplyAsync(() -> {
            String token = signed(name, Map.of("Action", "connect", "User", user), Duration.ofMinutes(15));
            return new Credentials(user, token).askAgainAfter(Duration.ofMinutes(10));
        });
    }

    /** Returns a signed GET request without its scheme: Signature Version 4, in the query. */
    String signed(String host, Map<String, String> parameters, Duration valid) {
        Keys by = keys.get();
        String time = TIME.format(clock.instant());
        String scope = "%s/%s/%s/aws4_request".formatted(time.substring(0, 8), region, service);
        Map<String, String> query = new TreeMap<>(parameters);
        query.put("X-Amz-Algorithm", "AWS4-HMAC-SHA256");
        query.put("X-Amz-Credential", by.accessKeyId() + "/" + scope);
        query.put("X-Amz-Date", time);
        query.put("X-Amz-Expires", Long.toString(valid.toSeconds()));
        query.put("X-Amz-SignedHeaders", "host");
        if (by.sessionToken() != null) {
            query.put("X-Amz-Security-Token", by.sessionToken());
        }
        String text = query.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
        String request = "GET\n/\n%s\nhost:%s\n\nhost\n%s".formatted(text, host, sha256(""));
        byte[] key = bytes("AWS4" + by.secretAccessKey());
        for (String part : scope.split("/", -1)) {
            key = hmac(key, part);
        }
        String signature = HexFormat.of()
                .formatHex(hmac(key, "AWS4-HMAC-SHA256\n%s\n%s\n%s".formatted(time, scope, sha256(request))));
        return "%s/?%s&X-Amz-Signature=%s".formatted(host, text, signature);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes(text)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }
}
