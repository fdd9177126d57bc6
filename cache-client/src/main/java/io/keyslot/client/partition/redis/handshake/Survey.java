// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.wire.GlobPattern;
import io.keyslot.client.partition.redis.wire.RegisterKey;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.ProbeKey;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Looks whose data an instance holds that has no record of Keyslot: a part of the {@link Handshake}. It writes nothing. For
 * one use, in the event loop.
 *
 * <p>What an instance remembers of the map is nobody's data: others may have written it there before the first who stores
 * something comes. Nor is a sign of which it was found out whether it is seen.
 */
final class Survey {
    /** Of more keys than these pages have, the rest is not looked at to find out whose they are. */
    static final int MOST_PAGES = 20;

    /** Where others have keys, so many pages are enough: each key is a command that the start waits for. */
    static final int MOST_PAGES_OF_OTHERS = 4;

    private static final int KEYS_OF_A_PAGE = 250;

    /** To find reserved names, all keys are passed by, as far as the connect deadline allows. */
    private static final int KEYS_PASSED_BY = 10_000;

    private static final String RESERVED = "keyslot:";
    private static final long LAST_OF_HEADER = Envelope.HEADER_BYTES - 1L;

    private final HandshakeCommands commands;
    private final PartitionIdentity identity;

    private int ours;
    private int others;
    private @Nullable String example;
    private @Nullable String colliding;

    Survey(HandshakeCommands commands, PartitionIdentity identity) {
        this.commands = commands;
        this.identity = identity;
    }

    /** Returns how many keys there are. */
    CompletableFuture<Long> count() {
        return commands.ask("count the keys", commands.redis().dbsize());
    }

    /** Looks at some keys, at all if there are few. */
    CompletableFuture<Residents> look(long count) {
        return lookFrom(ScanCursor.INITIAL, 0).thenApply(isComplete -> {
            boolean nothingFound = isComplete && example == null && ours == 0;
            return nothingFound
                    ? Residents.NONE // what was counted has expired
                    : new Residents(count, isComplete, ours, others, example, colliding);
        });
    }

    private CompletableFuture<Boolean> lookFrom(ScanCursor cursor, int pages) {
        boolean isKnown = others > 0 && (ours > 0 || pages >= MOST_PAGES_OF_OTHERS);
        if (isKnown || pages >= MOST_PAGES) {
            return CompletableFuture.completedFuture(false);
        }
        return commands.ask("list keys", commands.redis().scan(cursor, ScanArgs.Builder.limit(KEYS_OF_A_PAGE)))
                .thenCompose(page -> check(page.getKeys())
                        .thenCompose(done -> page.isFinished()
                                ? CompletableFuture.completedFuture(true)
                                : lookFrom(page, pages + 1)));
    }

    private CompletableFuture<Void> check(List<byte[]> keys) {
        List<CompletableFuture<Void>> checks = new ArrayList<>();
        for (byte[] bytes : keys) {
            EncodedKey key = new EncodedKey(bytes);
            if (isNobodys(key)) {
                continue;
            }
            if (isReserved(key.text())) {
                example = example == null ? RESERVED : example;
            } else {
                checks.add(isOurs(key).thenAccept(found -> note(key.text(), found)));
            }
        }
        return CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Boolean> isOurs(EncodedKey key) {
        return commands.redis()
                .getrange(key.bytes(), 0, LAST_OF_HEADER)
                .handle((head, failure) -> failure == null && head != null && Envelope.isOurs(key, head))
                .toCompletableFuture();
    }

    private void note(String key, boolean isOurs) {
        if (isOurs) {
            ours++;
            return;
        }
        others++;
        if (example == null || example.equals(RESERVED)) {
            example = Residents.beginningOf(key);
        }
        if (colliding == null) {
            colliding = Residents.prefixOf(key, identity).orElse(null);
        }
    }

    private static boolean isNobodys(EncodedKey key) {
        return RegisterKey.isOne(key) || ProbeKey.isOne(key);
    }

    private boolean isReserved(String key) {
        return key.startsWith(RESERVED) || key.startsWith(identity.keyspace() + RESERVED);
    }

    /**
     * Returns a key that has a name of those that Keyslot has reserved for itself, where nobody could tell whose it is. It
     * looks at all names.
     *
     * @param withoutNamespace whether those without our namespace matter too
     */
    CompletableFuture<Optional<String>> reservedName(boolean withoutNamespace) {
        CompletableFuture<Optional<String>> own = nameLike(identity.keyspace() + RESERVED, ScanCursor.INITIAL);
        return identity.keyspace().isEmpty() || !withoutNamespace
                ? own
                : own.thenCompose(found -> found.isPresent()
                        ? CompletableFuture.completedFuture(found)
                        : nameLike(RESERVED, ScanCursor.INITIAL));
    }

    private CompletableFuture<Optional<String>> nameLike(String prefix, ScanCursor cursor) {
        byte[] pattern = GlobPattern.startingWith(prefix).getBytes(StandardCharsets.UTF_8);
        ScanArgs arguments = new ScanArgs().match(pattern).limit(KEYS_PASSED_BY);
        return commands.ask("list keys", commands.redis().scan(cursor, arguments))
                .thenCompose(page -> afterPage(prefix, page));
    }

    private CompletableFuture<Optional<String>> afterPage(String prefix, KeyScanCursor<byte[]> page) {
        if (page.getKeys().stream().anyMatch(key -> !isNobodys(new EncodedKey(key)))) {
            return CompletableFuture.completedFuture(Optional.of(prefix));
        }
        return page.isFinished() ? CompletableFuture.completedFuture(Optional.empty()) : nameLike(prefix, page);
    }
}
