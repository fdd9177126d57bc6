// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.ServerError;
import io.keyslot.client.stored.Expiry;
import io.lettuce.core.protocol.CommandType;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores a batch of entries with one time to live by one {@code MSETEX}, which Redis 8.4 and Valkey 9.1 have.
 * Thread-safe. Not for puts that keep the expiry: with {@code KEEPTTL} it does not return the old value, as {@code SET}
 * with {@code GET} does.
 */
final class ExpiringBatches {
    private static final String NAME = "MSETEX";

    /** Lettuce before 7.1 has no such name. */
    private static final Optional<CommandType> MSETEX = Arrays.stream(CommandType.values())
            .filter(type -> type.name().equals(NAME))
            .findFirst();

    private final CommandWriter writer;
    private final Requests requests;
    private final Route route;
    private volatile @Nullable CommandType type;

    ExpiringBatches(CommandWriter writer, Requests requests, Route route) {
        this.writer = writer;
        this.requests = requests;
        this.route = route;
        this.type = requests.setsManyWithExpiry() ? MSETEX.orElse(null) : null;
    }

    boolean isFor(List<Command.Put> puts) {
        Expiry expiry = puts.get(0).onUpdate();
        if (type == null || expiry.isNever() || expiry.isUnchanged()) {
            return false;
        }
        for (Command.Put put : puts) {
            if (!put.onUpdate().equals(expiry) || put.envelope().sizeBytes() > EntryPuts.MOST_BYTES_TOGETHER) {
                return false;
            }
        }
        return true;
    }

    /** Stores all entries or, if the server refuses, none; uses the alternative if the command is unavailable. */
    CompletableFuture<Reply<List<Reply<Boolean>>>> putAll(
            List<Command.Put> puts,
            Function<List<Command.Put>, CompletableFuture<Reply<List<Reply<Boolean>>>>> otherwise) {
        CommandType command = type;
        if (command == null) {
            return otherwise.apply(puts);
        }
        RoutedCommand<Long, List<Reply<Boolean>>> together = writer.command(
                command,
                RespAnswers.integer(),
                EntryArguments.ofMsetex(puts, requests.epoch()),
                route,
                answer -> Collections.nCopies(puts.size(), Reply.done(RespAnswers.isOne(answer))));
        return writer.write(together.then(reply -> {
            if (!ServerError.isMissing(NAME, reply)) {
                return null;
            }
            type = null;
            return otherwise.apply(puts);
        }));
    }
}
