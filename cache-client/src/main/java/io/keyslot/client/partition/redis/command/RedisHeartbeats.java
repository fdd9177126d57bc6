// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.handshake.Epoch;
import io.keyslot.client.partition.redis.handshake.InstanceRecord;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.HeartbeatKey;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The heartbeat at an instance: a primary writes it, and a replica receives it. The namespace may be empty. */
public record RedisHeartbeats(CommandWriter writer, EntryReader reader, Epoch epoch, String namespace) {
    private static final Pattern HEARTBEAT = Pattern.compile("([0-9a-f]{16}) (\\d{1,16}) \\d{1,16}");

    public CompletableFuture<? extends Reply<?>> execute(ReplicaCommand<?> command) {
        if (command instanceof ReplicaCommand.KeepHeartbeat keep) {
            return keep(keep);
        }
        return read((ReplicaCommand.ReadBehind) command);
    }

    private CompletableFuture<Reply<ReplicaCommand.Kept>> keep(ReplicaCommand.KeepHeartbeat command) {
        if (command.slot() != ReplicaCommand.NO_SLOT) {
            return keepAtNode(command);
        }
        return epoch.incarnation()
                .map(incarnation -> keep(incarnation, command.pace()))
                .orElseGet(() -> CompletableFuture.completedFuture(
                        Reply.refused(Refusal.FORBIDDEN, "the connection is in no epoch, and writes no beat")));
    }

    private CompletableFuture<Reply<ReplicaCommand.Kept>> keep(String incarnation, Duration pace) {
        ScriptCall call = ScriptCall.of(
                Script.KEEP_HEARTBEAT,
                List.of(HeartbeatKey.of(namespace), InstanceRecord.KEY),
                List.of(Requests.text(incarnation), micros(pace)));
        return writer.write(writer.script(call, RespAnswers.nested(), Route.ANY, answer -> kept(incarnation, answer)))
                .thenApply(reply -> reply instanceof Reply.Done<Optional<ReplicaCommand.Kept>> done
                        ? done.value()
                                .map(Reply::done)
                                .orElseGet(() -> Reply.refused(Refusal.NOT_NOW, "the partition's epoch has changed"))
                        : Replies.map(reply, Optional::orElseThrow));
    }

    /** Only this node may reply: another node's heartbeat would not reach the replicas of this one. */
    private CompletableFuture<Reply<ReplicaCommand.Kept>> keepAtNode(ReplicaCommand.KeepHeartbeat command) {
        ScriptCall call = ScriptCall.of(
                Script.KEEP_NODE_HEARTBEAT,
                List.of(HeartbeatKey.of(namespace, command.slot())),
                List.of(Requests.text("%08x".formatted(epoch.value())), micros(command.pace())));
        return writer.write(writer.script(call, RespAnswers.nested(), Route.ANY, this::keptAtNode)
                        .forThisServer())
                .thenApply(reply -> reply instanceof Reply.Done<Optional<ReplicaCommand.Kept>> done
                        ? done.value()
                                .map(Reply::done)
                                .orElseGet(() -> Reply.refused(
                                        Refusal.FORBIDDEN,
                                        "the node does not tell its replication id, and has no beat"))
                        : Replies.map(reply, Optional::orElseThrow));
    }

    private Optional<ReplicaCommand.Kept> keptAtNode(List<Object> answer) {
        long number = RespAnswers.number(answer.get(1));
        if (number == 0 || !(answer.get(0) instanceof byte[] incarnation)) {
            return Optional.empty();
        }
        return Optional.of(new ReplicaCommand.Kept(
                new ReplicaCommand.Heartbeat(RespAnswers.text(incarnation), number),
                epoch.value(),
                RespAnswers.number(answer.get(2)) == 1));
    }

    private static byte[] micros(Duration pace) {
        return Requests.text(Long.toString(TimeUnit.NANOSECONDS.toMicros(pace.toNanos())));
    }

    private EncodedKey heartbeatKey(int slot) {
        return slot == ReplicaCommand.NO_SLOT ? HeartbeatKey.of(namespace) : HeartbeatKey.of(namespace, slot);
    }

    private Optional<ReplicaCommand.Kept> kept(String incarnation, List<Object> answer) {
        long number = RespAnswers.number(answer.get(0));
        return number == 0
                ? Optional.empty()
                : Optional.of(new ReplicaCommand.Kept(
                        new ReplicaCommand.Heartbeat(incarnation, number),
                        epoch.value(),
                        RespAnswers.number(answer.get(1)) == 1));
    }

    /** Reads the heartbeat first: values read after it on the same connection are at least as new. */
    private CompletableFuture<Reply<ReplicaCommand.Behind>> read(ReplicaCommand.ReadBehind command) {
        RoutedCommand<byte[], Optional<ReplicaCommand.Heartbeat>> heartbeat = writer.bare(
                CommandType.GET,
                RespAnswers.value(),
                Requests.key(heartbeatKey(command.slot())),
                Route.ANY,
                RedisHeartbeats::heartbeat);
        if (command.wanted().isEmpty()) {
            return writer.write(heartbeat)
                    .thenApply(reply -> Replies.map(reply, found -> new ReplicaCommand.Behind(found, List.of())));
        }
        if (writer.isOfCluster()) {
            return readAtNode(heartbeat, command.wanted());
        }
        RoutedCommand<List<byte[]>, List<Lookup>> values = values(command.wanted());
        writer.writeAll(List.of(heartbeat, values));
        return heartbeat.reply().thenCombine(values.reply(), RedisHeartbeats::together);
    }

    /** One command per slot. If one of them is refused, all are, because the node may have lost the slot. */
    private CompletableFuture<Reply<ReplicaCommand.Behind>> readAtNode(
            RoutedCommand<byte[], Optional<ReplicaCommand.Heartbeat>> heartbeat, List<EncodedKey> wanted) {
        List<List<EncodedKey>> parts = writer.together(wanted);
        List<RoutedCommand<List<byte[]>, List<Lookup>>> commands =
                parts.stream().map(this::values).toList();
        List<RoutedCommand<?, ?>> all = new ArrayList<>();
        all.add(heartbeat);
        all.addAll(commands);
        writer.writeAll(all);
        CompletableFuture<Reply<Map<EncodedKey, Lookup>>> found =
                CompletableFuture.completedFuture(Reply.done(new HashMap<>()));
        for (int i = 0; i < commands.size(); i++) {
            List<EncodedKey> keys = parts.get(i);
            found = found.thenCombine(commands.get(i).reply(), (known, reply) -> with(known, keys, reply));
        }
        return heartbeat
                .reply()
                .thenCombine(
                        found,
                        (first, values) -> together(
                                first,
                                Replies.map(
                                        values,
                                        known -> wanted.stream().map(known::get).toList())));
    }

    private static Reply<Map<EncodedKey, Lookup>> with(
            Reply<Map<EncodedKey, Lookup>> known, List<EncodedKey> keys, Reply<List<Lookup>> reply) {
        if (!(known instanceof Reply.Done<Map<EncodedKey, Lookup>> others)) {
            return known;
        }
        return Replies.map(reply, lookups -> {
            for (int i = 0; i < keys.size(); i++) {
                others.value().put(keys.get(i), lookups.get(i));
            }
            return others.value();
        });
    }

    private RoutedCommand<List<byte[]>, List<Lookup>> values(List<EncodedKey> keys) {
        return writer.command(
                CommandType.MGET,
                RespAnswers.valueList(),
                keys,
                Requests.bare(keys),
                Route.ANY,
                found -> new FoundEntries(reader::read, keys, found));
    }

    private static Reply<ReplicaCommand.Behind> together(
            Reply<Optional<ReplicaCommand.Heartbeat>> heartbeat, Reply<List<Lookup>> values) {
        return heartbeat instanceof Reply.Done<Optional<ReplicaCommand.Heartbeat>> found
                ? Replies.map(values, lookups -> new ReplicaCommand.Behind(found.value(), lookups))
                : Replies.map(heartbeat, none -> new ReplicaCommand.Behind(none, List.of()));
    }

    private static Optional<ReplicaCommand.Heartbeat> heartbeat(byte @Nullable [] stored) {
        Matcher matcher = HEARTBEAT.matcher(RespAnswers.text(stored));
        return matcher.matches()
                ? Optional.of(new ReplicaCommand.Heartbeat(matcher.group(1), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }
}
