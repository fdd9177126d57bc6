// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import io.keyslot.client.concurrent.IdlePool;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces the ids in the keys of a cache by their HMAC-SHA-256, which only those with the secret can compute: the first
 * 128 bits of it, in base64url. Thread-safe; {@code toString} does not show the secret.
 */
public final class KeyHash {
    private static final byte[] PURPOSE = "keyslot key name\0".getBytes(StandardCharsets.US_ASCII);
    private static final int BYTES = 16;

    private final SecretKeySpec secret;
    private final IdlePool<Mac> idle = new IdlePool<>();

    public KeyHash(byte[] secret) {
        this.secret = new SecretKeySpec(secret, "HmacSHA256");
    }

    /** Returns the key with this prefix that stands for a key with the prefix and an id. */
    public EncodedKey hashed(String prefix, EncodedKey key) {
        Mac taken = idle.take();
        Mac mac = taken == null ? create() : taken;
        mac.update(PURPOSE);
        byte[] digest = mac.doFinal(key.bytes());
        boolean unused = idle.giveBack(mac);
        byte[] id = Base64.getUrlEncoder().withoutPadding().encode(Arrays.copyOf(digest, BYTES));
        return EncodedKey.of(prefix + new String(id, StandardCharsets.US_ASCII));
    }

    private Mac create() {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(secret);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java platform lacks HMAC-SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "hashed keys";
    }
}
