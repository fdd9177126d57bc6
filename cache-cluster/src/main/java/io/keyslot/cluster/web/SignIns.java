// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who knows the token. A program sends it with each request, as {@code Authorization: Bearer …}. A browser posts it once, and has a
 * cookie from then on that is worth something as long as this process lives. Safe for use by several threads.
 *
 * <p>How long a comparison takes says nothing about the token: digests are compared, and whole.
 */
public final class SignIns {
    /** A token that is shorter could be found by trying. */
    public static final int SHORTEST_TOKEN = 16;

    private static final String COOKIE = "keyslot-page";
    private static final String BEARER = "Bearer ";
    private static final int RANDOM_BYTES = 32;

    private final byte @Nullable [] digest;
    private final SecureRandom random = new SecureRandom();
    private final Deque<byte[]> signedIn = new ArrayDeque<>(); // guarded by itself

    /**
     * @param token null if nobody may do anything
     * @throws IllegalArgumentException if it is too short
     */
    public SignIns(@Nullable String token) {
        if (token != null && token.length() < SHORTEST_TOKEN) {
            throw new IllegalArgumentException("A token has at least %d characters".formatted(SHORTEST_TOKEN));
        }
        this.digest = token == null ? null : digest(token);
    }

    /** Returns whether there is a token at all. */
    public boolean isPossible() {
        return digest != null;
    }

    /** Returns whether whoever sent this knows the token. */
    public boolean isSignedIn(WebRequest request) {
        String authorization = request.header("Authorization");
        return authorization.startsWith(BEARER)
                ? isToken(authorization.substring(BEARER.length()))
                : isSignedIn(digest(request.cookie(COOKIE)));
    }

    private boolean isToken(String text) {
        return MessageDigest.isEqual(digest, digest(text));
    }

    private boolean isSignedIn(byte[] cookie) {
        boolean isFound = false;
        synchronized (signedIn) {
            for (byte[] known : signedIn) {
                isFound |= MessageDigest.isEqual(known, cookie);
            }
        }
        return isFound;
    }

    /** Returns the cookie of somebody who says the token; empty if it is wrong, or there is none. */
    public Optional<String> signIn(String token) {
        if (!isToken(token)) {
            return Optional.empty();
        }
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        String value = HexFormat.of().formatHex(bytes);
        synchronized (signedIn) {
            signedIn.addLast(digest(value));
            if (signedIn.size() > WebLimits.MOST_SIGNED_IN) {
                signedIn.removeFirst();
            }
        }
        return Optional.of(COOKIE + "=" + value + "; HttpOnly; SameSite=Strict; Path=/");
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
