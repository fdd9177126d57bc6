// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * What runs within the server, because two things must happen together there. Each one has a {@code .lua} file; those
 * about entries have {@code stored.lua} before it.
 */
enum Script {
    PUT("stored.lua", "put.lua"),
    COMPARE_AND_SET("swap.lua", "stored.lua", "compare_and_set.lua"),
    COMPARE_AND_REMOVE("stored.lua", "compare_and_remove.lua"),
    COMPARE_AND_EXPIRE("stored.lua", "compare_and_expire.lua"),
    GET_AND_EXPIRE("stored.lua", "get_and_expire.lua"),
    LEASE("stored.lua", "lease.lua"),
    CLAIM("stored.lua", "claim.lua"),
    TAKE("stored.lua", "take.lua"),
    BEGIN_PARTS("begin_parts.lua"),
    GROUP("stored.lua", "index.lua", "puts.lua", "members.lua", "group.lua"),
    PUT_INDEXED("stored.lua", "index.lua", "indexed.lua", "put.lua"),
    COMPARE_AND_SET_INDEXED("stored.lua", "index.lua", "indexed.lua", "compare_and_set.lua"),
    ROWS("rows.lua"),
    FORGET("stored.lua", "forget.lua"),
    RELIST("stored.lua", "index.lua", "relist.lua"),
    EXPIRE_ALL("stored.lua", "expire_all.lua"),
    HOLD_INDEX("stored.lua", "index.lua", "hold_index.lua"),
    RELEASE_INDEX("stored.lua", "index.lua", "release_index.lua"),
    WEIGH("weigh.lua"),
    LOCK("lock.lua"),
    RENEW_LOCK("renew_lock.lua"),
    UNLOCK("unlock.lua"),
    SET_LIVES("set_lives.lua");

    private final String text;
    private final String digest;

    Script(String... files) {
        this.text = String.join("", Stream.of(files).map(Script::load).toList());
        this.digest = sha1(text);
    }

    private static String load(String file) {
        try (InputStream resource = Script.class.getResourceAsStream(file)) {
            if (resource == null) {
                throw new IllegalStateException("Script %s is missing from the jar of cache-client".formatted(file));
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Script %s cannot be read".formatted(file), e);
        }
    }

    /** The server's name for a script, not a protection. */
    private static String sha1(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1", e);
        }
    }

    /** Returns the source. */
    String text() {
        return text;
    }

    /** Returns the digest by which a server knows the script once it has run it. */
    String digest() {
        return digest;
    }
}
