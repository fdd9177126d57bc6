// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What runs within the server, because two things must happen together there. Each one has a {@code .lua} file; those
 * about entries have {@code stored.lua} before it.
 *
 * <p>Each one looks at everything that may be refused before it writes anything: {@code rights.lua} says how.
 */
public enum Script {
    PUT("rights.lua", "stored.lua", "put.lua"),
    COMPARE_AND_SET("swap.lua", "rights.lua", "stored.lua", "compare_and_set.lua"),
    COMPARE_AND_REMOVE("rights.lua", "stored.lua", "ease.lua", "compare_and_remove.lua"),
    COMPARE_AND_EXPIRE("rights.lua", "stored.lua", "ease.lua", "compare_and_expire.lua"),
    GET_AND_EXPIRE("rights.lua", "stored.lua", "ease.lua", "get_and_expire.lua"),
    LEASE("rights.lua", "stored.lua", "lease.lua"),
    CLAIM("rights.lua", "stored.lua", "claim.lua"),
    RESERVE("rights.lua", "stored.lua", "reserve.lua"),
    GIVE_BACK("rights.lua", "stored.lua", "give_back.lua"),
    TAKE("rights.lua", "stored.lua", "ease.lua", "take.lua"),
    BEGIN_PARTS("rights.lua", "begin_parts.lua"),
    GROUP("rights.lua", "stored.lua", "index.lua", "ease.lua", "puts.lua", "members.lua", "group.lua"),
    PUT_INDEXED("rights.lua", "stored.lua", "index.lua", "ease.lua", "indexed.lua", "put.lua"),
    COMPARE_AND_SET_INDEXED("rights.lua", "stored.lua", "index.lua", "ease.lua", "indexed.lua", "compare_and_set.lua"),
    ROWS("rows.lua"),
    UNLINK("rights.lua", "stored.lua", "ours.lua", "unlink.lua"),
    UNLINK_LISTED("rights.lua", "stored.lua", "ease.lua", "ours.lua", "unlink_listed.lua"),
    FORGET("rights.lua", "stored.lua", "forget.lua"),
    RELIST("rights.lua", "stored.lua", "index.lua", "relist.lua"),
    EXPIRE_ALL("rights.lua", "stored.lua", "expire_all.lua"),
    HOLD_INDEX("rights.lua", "stored.lua", "index.lua", "hold_index.lua"),
    RELEASE_INDEX("rights.lua", "stored.lua", "index.lua", "release_index.lua"),
    WEIGH("weigh.lua"),
    LOCK("rights.lua", "lock.lua"),
    RENEW_LOCK("renew_lock.lua"),
    UNLOCK("unlock.lua"),
    MAY_RECORD("may_record.lua"),
    SET_LIFE("set_life.lua");

    /** How the files write a command that they call. */
    private static final Pattern CALLED = Pattern.compile("(?:call|try)\\('([A-Z]+)'");

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

    /** Returns the command that a script calls, of which a server knows only the digest and the line. */
    static Optional<String> commandCalledAt(String digest, int line) {
        return Stream.of(values())
                .filter(script -> script.digest.equals(digest))
                .flatMap(script -> script.text.lines().skip(line - 1).limit(1))
                .map(CALLED::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .findFirst();
    }

    /** Returns the source. */
    public String text() {
        return text;
    }

    /** Returns the digest by which a server knows the script once it has run it. */
    public String digest() {
        return digest;
    }
}
