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
 * The part of the {@link Handshake} that finds out whose data an instance without a record holds. It writes nothing.
 * For one use, in the event loop.
 *
 * <p>The register and probe keys are ignored, because other clients may have written them before the first one stores
 * data.
 */
final class Survey {
    /** Keys beyond these pages are not inspected. */
    static final int MOST_PAGES = 20;

    /** Fewer pages suffice where foreign keys were found, because each key costs a command during the start. */
    static final int MOST_PAGES_OF_OTHERS = 4;

    private static final int KEYS_OF_A_PAGE = 250;

    /** All keys are scanned for reserved names, as far as the connect deadline allows. */
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

    CompletableFuture<Long> count() {
        return commands.ask("count the keys", commands.redis().dbsize());
    }

    CompletableFuture<Residents> look(long count) {
        return lookFrom(ScanCursor.INITIAL, 0).thenApply(isComplete -> {
            boolean nothingFound = isComplete && example == null && ours == 0;
            return nothingFound
                    ? Residents.NONE // the counted keys have expired
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

    /** Returns the prefix of a key with a reserved name, also outside our namespace if asked. Scans all names. */
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
