// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Stores values in parts: the parts one by one under a key of their own, and then a script that puts them in the place of
 * the entry, if its conditions are met and no part is missing.
 *
 * <p>All of it is written in one go, as a smaller value would be, so that the timeouts of all commands begin and end
 * together, and nothing is sent after the caller has been answered. It is also why the scripts are sent in full: asking the
 * server first whether it knows them would be a second step. Their text is less than a hundredth of a part. The parts
 * themselves pass through no script, which would cost the server twenty times as much.
 */
public final class LargeWrites {
    private final CommandWriter writer;
    private final Requests requests;
    private final Route route;

    /** Of the parts, which are nobody's until the script at the end: whoever owns the slot by then, they change nothing. */
    private final Route beside;

    public LargeWrites(CommandWriter writer, Requests requests, Route route) {
        this.writer = writer;
        this.requests = requests;
        this.route = route;
        this.beside = route.withoutFence();
    }

    public CompletableFuture<Reply<Boolean>> compareAndSet(Command.CompareAndSet command) {
        ScriptCall call = ScriptCall.storing(
                Script.COMPARE_AND_SET, command.key(), command.envelope(), requests.compareAndSet(inParts(command)));
        return send(commands(call, command.key(), command.envelope()));
    }

    private static Command.CompareAndSet inParts(Command.CompareAndSet command) {
        return new Command.CompareAndSet(
                command.key(), command.expectedStamp(), Manifest.of(command.envelope()), command.expiry());
    }

    public CompletableFuture<Reply<Boolean>> put(Command.Put put) {
        return send(commands(put));
    }

    /** Returns what is to be sent, in this order; {@link #verdict} says what came of it. */
    public List<RoutedCommand<?, Boolean>> commands(Command.Put put) {
        Command.Put inParts = new Command.Put(put.key(), Manifest.of(put.envelope()), put.onCreation(), put.onUpdate());
        ScriptCall call = ScriptCall.storing(Script.PUT, put.key(), put.envelope(), requests.put(inParts));
        return commands(call, put.key(), put.envelope());
    }

    private CompletableFuture<Reply<Boolean>> send(List<RoutedCommand<?, Boolean>> commands) {
        writer.writeAll(commands);
        return reply(commands);
    }

    private List<RoutedCommand<?, Boolean>> commands(ScriptCall call, EncodedKey key, Envelope envelope) {
        EncodedKey target = PartsKey.ofWrite(key, envelope.stamp());
        byte[] manifest = requests.bytes(key, Manifest.of(envelope));
        List<RoutedCommand<?, Boolean>> commands = new ArrayList<>();
        commands.add(eval(
                ScriptCall.of(
                        Script.BEGIN_PARTS, target, List.of(Parts.MANIFEST_FIELD, manifest, PartsKey.TIME_TO_LIVE)),
                beside));
        int number = 0;
        for (byte[] part : Parts.of(envelope)) {
            commands.add(command(CommandType.HSET, Requests.key(target, Parts.field(number), part)));
            // A full server may have evicted the others: then this part has begun a key anew.
            commands.add(command(CommandType.PEXPIRE, Requests.key(target, PartsKey.TIME_TO_LIVE)));
            number++;
        }
        List<EncodedKey> keys = new ArrayList<>(call.keys());
        keys.add(1, target);
        commands.add(eval(new ScriptCall(call.script(), call.use(), keys, call.arguments()), route));
        return commands;
    }

    private RoutedCommand<?, Boolean> eval(ScriptCall call, Route by) {
        return writer.scriptInFull(call, RespAnswers.integer(), by, RespAnswers::isOne);
    }

    private RoutedCommand<?, Boolean> command(CommandType type, byte[][] arguments) {
        return writer.bare(type, RespAnswers.integer(), arguments, beside, RespAnswers::isOne);
    }

    /** Returns what came of the commands of one write. */
    public static CompletableFuture<Reply<Boolean>> reply(List<RoutedCommand<?, Boolean>> commands) {
        List<CompletableFuture<Reply<Boolean>>> replies = new ArrayList<>(commands.size());
        commands.forEach(command -> replies.add(command.reply()));
        return Replies.all(replies).thenApply(LargeWrites::verdict);
    }

    /** The last command decides. If it was refused, the first refusal says why: a part of the value, for example, was. */
    static Reply<Boolean> verdict(List<Reply<Boolean>> replies) {
        Reply<Boolean> last = replies.get(replies.size() - 1);
        return last instanceof Reply.Refused
                ? replies.stream()
                        .filter(reply -> reply instanceof Reply.Refused)
                        .findFirst()
                        .orElse(last)
                : last;
    }
}
