// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.config.Counted;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.ProbeKey;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
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
    /** Whose data an instance without a record holds, as far as its keys were inspected. */
    enum Kind {
        /** No data, or only ours. */
        UNUSED,
        /** Some data is ours, so the record was lost; the rest is unknown. */
        OURS,
        /** None of the data is ours. */
        FOREIGN
    }

    /** Keys beyond these pages are not inspected. */
    private static final int MOST_PAGES = 20;

    /** Fewer pages suffice where foreign keys were found, because each key costs a command during the start. */
    private static final int MOST_PAGES_OF_OTHERS = 4;

    private static final int KEYS_OF_A_PAGE = 250;

    /** All keys are scanned for reserved names, as far as the connect deadline allows. */
    private static final int KEYS_PASSED_BY = 10_000;

    private static final String RESERVED = "keyslot:";
    private static final long LAST_OF_HEADER = Envelope.HEADER_BYTES - 1L;

    private static final int MOST_CHARACTERS = 24;

    private final HandshakeCommands commands;
    private final PartitionIdentity identity;

    private long count;
    private int ours;
    private int others;

    /** The beginning of a key that is not ours, preferably one without a reserved name. */
    private @Nullable String example;

    /** The prefix of one of our caches with which such a key begins. */
    private @Nullable String colliding;

    Survey(HandshakeCommands commands, PartitionIdentity identity) {
        this.commands = commands;
        this.identity = identity;
    }

    /** Inspects an instance with this number of keys. */
    CompletableFuture<Kind> look(long keys) {
        count = keys;
        return lookFrom(ScanCursor.INITIAL, 0).thenApply(isComplete -> {
            // Without any example, the counted keys have expired.
            if (isComplete && others == 0 && (ours > 0 || example == null)) {
                return Kind.UNUSED;
            }
            return ours > 0 ? Kind.OURS : Kind.FOREIGN;
        });
    }

    /** Returns why the inspected instance must not be used, and a remedy. */
    String objection() {
        return ("the instance holds %s and no record of Keyslot, so another program uses it%s. Nothing was written."
                        + " Give Keyslot a database or instances of its own; or set adoptInstances: always, then it uses"
                        + " this one, leaves their keys alone, and its writes look before they store")
                .formatted(Counted.of(count, "key"), example());
    }

    private String example() {
        if (colliding != null) {
            return ", for example under %s…, as the keys of a cache of this client begin".formatted(colliding);
        }
        String prefix = identity.keyspace() + "…";
        return example == null ? "" : ", for example under %s… (ours begin with %s)".formatted(example, prefix);
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
            example = beginningOf(key);
        }
        if (colliding == null) {
            colliding = identity.keyPrefixes().stream()
                    .filter(key::startsWith)
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Returns the beginning of a key, which identifies its owner; the rest may be a secret. */
    private static String beginningOf(String key) {
        int colon = key.indexOf(':');
        String beginning = colon >= 0 && colon < MOST_CHARACTERS
                ? key.substring(0, colon + 1)
                : key.substring(0, Math.min(key.length(), MOST_CHARACTERS));
        return beginning.replaceAll("[^\\x21-\\x7e]", "?");
    }

    private static boolean isNobodys(EncodedKey key) {
        return InternalKeys.isRegister(key) || ProbeKey.isOne(key) || key.isCopy();
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
        byte[] pattern = Resp.word(Resp.patternOfPrefix(prefix));
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
