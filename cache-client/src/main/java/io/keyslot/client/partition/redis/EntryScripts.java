// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Reservation;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.partition.redis.wire.ScriptCalls;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.StoredForm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Changes entries under a condition, and removes them, by scripts. */
record EntryScripts(CommandWriter writer, ScriptCalls scripts, Requests requests, EntryReader reader, Route route) {
    public CompletableFuture<Reply<Boolean>> compareAndSet(Command.CompareAndSet command) {
        return scripts.send(ScriptCall.storing(
                Script.COMPARE_AND_SET, command.key(), command.envelope(), requests.compareAndSet(command)));
    }

    /** Executes a change of one key. The expiry of a {@link Command.GetAndExpire} is not {@code UNCHANGED}. */
    public CompletableFuture<? extends Reply<?>> execute(Command.OfKey<?> command) {
        EncodedKey key = command.key();
        if (command instanceof Command.GetAndExpire expire) {
            return lookup(key, ScriptCall.changing(Script.GET_AND_EXPIRE, key, requests.getAndExpire(expire)));
        }
        if (command instanceof Command.CompareAndRemove remove) {
            return scripts.send(ScriptCall.changing(Script.COMPARE_AND_REMOVE, key, requests.compareAndRemove(remove)));
        }
        if (command instanceof Command.CompareAndExpire expire) {
            return scripts.send(ScriptCall.changing(Script.COMPARE_AND_EXPIRE, key, requests.compareAndExpire(expire)));
        }
        if (command instanceof Command.Lease lease) {
            return lookup(key, ScriptCall.of(Script.LEASE, key, requests.lease(lease)));
        }
        if (command instanceof Command.Claim claim) {
            return scripts.send(ScriptCall.of(Script.CLAIM, key, requests.claim(claim)));
        }
        if (command instanceof Command.Reserve reserve) {
            return reserve(reserve);
        }
        if (command instanceof Command.GiveBack giveBack) {
            return scripts.send(ScriptCall.of(Script.RELEASE_LEASE, key, requests.giveBack(giveBack)));
        }
        if (command instanceof Command.GetAndRemove) {
            return lookup(key, ScriptCall.changing(Script.TAKE, key, List.of(requests.header(key))));
        }
        throw new IllegalArgumentException(command.name() + " changes no entry");
    }

    private CompletableFuture<Reply<Lookup>> lookup(EncodedKey key, ScriptCall call) {
        return writer.write(writer.script(call, RespAnswers.value(), route, answer -> reader.read(key, answer)));
    }

    @SuppressWarnings("NullAway") // Lettuce does not declare nulls in the list.
    private CompletableFuture<Reply<Reservation>> reserve(Command.Reserve command) {
        return writer.write(writer.script(
                ScriptCall.of(Script.RESERVE, command.key(), requests.reserve(command)),
                RespAnswers.nested(),
                route,
                answer -> reservation(command.key(), answer)));
    }

    private Reservation reservation(EncodedKey key, List<@Nullable Object> answer) {
        if (answer.size() > 2) {
            throw new IllegalStateException("a reservation has a time and an entry");
        }
        // The server omits the second element if nothing is stored.
        Object stored = answer.size() == 2 ? answer.get(1) : null;
        return new Reservation(
                reader.read(key, stored == null ? null : RespAnswers.bytes(stored)), RespAnswers.number(answer.get(0)));
    }

    public CompletableFuture<Reply<Long>> removeAll(List<EncodedKey> keys) {
        Map<AlikeRemovals, List<EncodedKey>> alike = new LinkedHashMap<>();
        for (EncodedKey key : keys) {
            EncodedKey index = key.isIndexed() ? GroupHome.of(key).index() : null;
            alike.computeIfAbsent(new AlikeRemovals(key.form(), index), first -> new ArrayList<>())
                    .add(key);
        }
        List<RoutedCommand<Long, Long>> removals = alike.values().stream()
                .flatMap(some -> writer.together(some).stream())
                .map(some -> scripts.counting(ScriptCall.unlinking(
                        some, some.stream().map(requests::header).toList())))
                .toList();
        writer.writeAll(removals);
        return Replies.all(removals.stream().map(RoutedCommand::reply).toList())
                .thenApply(Replies::ofWrite)
                .thenApply(reply -> reply.map(
                        counts -> counts.stream().mapToLong(Long::longValue).sum()));
    }

    /** Keys that one command may remove. */
    private record AlikeRemovals(StoredForm form, @Nullable EncodedKey index) {}
}
