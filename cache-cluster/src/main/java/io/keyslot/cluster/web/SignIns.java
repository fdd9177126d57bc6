// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Checks the token of requests, {@code Authorization: Bearer …}, in constant time. There is no cookie, because a
 * browser sends cookies to every port of the host, and so to the servers of other users. Immutable.
 */
public final class SignIns {
    /** A shorter token could be guessed. */
    public static final int SHORTEST_TOKEN = 16;

    private static final String BEARER = "Bearer ";

    private final byte @Nullable [] digest;

    /** A null token allows no request. Throws IllegalArgumentException if it is too short or no header value. */
    public SignIns(@Nullable String token) {
        if (token != null && token.length() < SHORTEST_TOKEN) {
            throw new IllegalArgumentException("A token has at least %d characters".formatted(SHORTEST_TOKEN));
        }
        if (token != null && !token.matches("[ -~]+")) {
            throw new IllegalArgumentException("A token has printable ASCII characters only");
        }
        this.digest = token == null ? null : digest(token);
    }

    public boolean isPossible() {
        return digest != null;
    }

    public boolean isSignedIn(WebRequest request) {
        String authorization = request.header("Authorization");
        return authorization.startsWith(BEARER)
                && MessageDigest.isEqual(digest, digest(authorization.substring(BEARER.length())));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
