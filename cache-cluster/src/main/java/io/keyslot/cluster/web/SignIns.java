// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Compares the token of requests, which programs and the page send as {@code Authorization: Bearer …}. There is no cookie: a browser
 * sends a cookie to every port of the host, and so to other users' servers. Immutable.
 *
 * <p>The time of a comparison says nothing about the token: whole digests are compared.
 */
public final class SignIns {
    /** A token that is shorter could be found by trying. */
    public static final int SHORTEST_TOKEN = 16;

    private static final String BEARER = "Bearer ";

    private final byte @Nullable [] digest;

    /**
     * @param token null if no request may do anything
     * @throws IllegalArgumentException if it is too short, or cannot be sent in a header
     */
    public SignIns(@Nullable String token) {
        if (token != null && token.length() < SHORTEST_TOKEN) {
            throw new IllegalArgumentException("A token has at least %d characters".formatted(SHORTEST_TOKEN));
        }
        if (token != null && !token.matches("[ -~]+")) {
            throw new IllegalArgumentException("A token has printable ASCII characters only");
        }
        this.digest = token == null ? null : digest(token);
    }

    /** Returns whether there is a token at all. */
    public boolean isPossible() {
        return digest != null;
    }

    /** Returns whether the request has the token. */
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
