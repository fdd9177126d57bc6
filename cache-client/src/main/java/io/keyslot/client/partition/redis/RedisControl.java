// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command.ServedSlots;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficReport;
import io.keyslot.client.partition.redis.handshake.Epoch;
import io.keyslot.client.partition.redis.handshake.InstanceRecord;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.InternalKeys;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.partition.redis.wire.ScriptCalls;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The commands about a partition as a whole: fences of slots, the slots of a cluster node, heartbeats, and traffic reports.
 * They are not checked against fences themselves.
 *
 * @param route without a fence
 */
record RedisControl(
        CommandWriter writer,
        Epoch epoch,
        EntryReader reader,
        InternalKeys fenceKeys,
        Route route,
        ScriptCalls scripts) {
    private static final Pattern HEARTBEAT = Pattern.compile("([0-9a-f]{16}) (\\d{1,16}) \\d{1,16}");
    private static final String COORDINATOR = "coordinator";
    private static final char NONE = '-';
    private static final char UNWRITTEN = '=';

    public CompletableFuture<? extends Reply<?>> execute(FenceCommand<?> command) {
        if (command instanceof FenceCommand.SetFence set) {
            return setFence(set);
        }
        return command instanceof FenceCommand.SetMinVersion min ? setMinVersion(min) : readFences();
    }

    private CompletableFuture<Reply<Boolean>> setFence(FenceCommand.SetFence command) {
        FenceCommand.To to = command.to();
        List<EncodedKey> keys = new ArrayList<>(List.of(fenceKeys.fence()));
        List<byte[]> arguments = new ArrayList<>(List.of(
                Requests.text(Long.toString(command.coordinator())),
                Requests.text(to.move()),
                Requests.text(letters(command.from())),
                Requests.text(String.valueOf(letter(to.state()))),
                Requests.text(Long.toString(to.mapVersion()))));
        command.slots().forEach((slot, ownership) -> {
            keys.add(fenceKeys.dirty(slot));
            arguments.add(Requests.text(slot));
            arguments.add(Requests.text(Long.toString(ownership)));
        });
        return scripts.send(ScriptCall.of(Script.SET_FENCE, keys, arguments));
    }

    private static String letters(FenceCommand.From from) {
        StringBuilder letters = new StringBuilder();
        from.states().forEach(state -> letters.append(state.letter()));
        if (from.orNone()) {
            letters.append(NONE);
        }
        return from.unwritten() ? letters.append(UNWRITTEN).toString() : letters.toString();
    }

    private static char letter(SlotFence.@Nullable State state) {
        return state == null ? NONE : state.letter();
    }

    private CompletableFuture<Reply<FenceCommand.Fences>> readFences() {
        return writer.write(writer.bare(
                CommandType.HGETALL,
                RespAnswers.valueList(),
                Requests.bare(fenceKeys.fence()),
                route,
                RedisControl::fences));
    }

    private static FenceCommand.Fences fences(List<byte[]> fieldsAndValues) {
        long ended = 0;
        Map<String, Long> coordinators = new HashMap<>();
        Map<Integer, SlotFence> slots = new HashMap<>();
        for (int i = 0; i < fieldsAndValues.size(); i += 2) {
            String field = RespAnswers.text(fieldsAndValues.get(i));
            String value = RespAnswers.text(fieldsAndValues.get(i + 1));
            if (field.equals(COORDINATOR)) {
                ended = Long.parseLong(value);
            } else if (field.startsWith(COORDINATOR)) {
                coordinators.put(field.substring(COORDINATOR.length() + 1), Long.parseLong(value));
            } else {
                slots.put(Integer.parseInt(field), fence(value));
            }
        }
        return new FenceCommand.Fences(ended, coordinators, slots);
    }

    private static SlotFence fence(String value) {
        List<String> words = List.of(value.split(" ", -1));
        return new SlotFence(
                SlotFence.State.of(words.get(0).charAt(0)),
                words.get(1),
                Long.parseLong(words.get(2)),
                Long.parseLong(words.get(3)));
    }

    private CompletableFuture<Reply<Long>> setMinVersion(FenceCommand.SetMinVersion command) {
        return scripts.count(ScriptCall.of(
                Script.SET_MIN_VERSION,
                InstanceRecord.KEY,
                List.of(
                        Requests.text(InstanceRecord.minVersionField(fenceKeys.namespace())),
                        Requests.text(Long.toString(command.mapVersion())))));
    }

    public CompletableFuture<Reply<Optional<ServedSlots>>> servedSlots() {
        return writer.write(writer.command(
                CommandType.CLUSTER,
                RespAnswers.value(),
                new CommandArgs<>(ByteArrayCodec.INSTANCE).add("NODES"),
                route,
                text -> servedSlots(RespAnswers.text(text))));
    }

    /** Parses {@code CLUSTER NODES}, the only command that reports slots in migration; empty if unreadable. */
    static Optional<ServedSlots> servedSlots(String text) {
        return KnownNode.readAll(text).flatMap(RedisControl::servedSlots);
    }

    private static Optional<ServedSlots> servedSlots(List<KnownNode> nodes) {
        Map<PartitionId, List<SlotRange>> owners = new LinkedHashMap<>();
        Map<Integer, PartitionId> leaving = new HashMap<>();
        Set<Integer> arriving = new HashSet<>();
        for (KnownNode node : nodes) {
            owners.put(ClusterPrimary.partition(node.id()), node.slots());
            node.leaving().forEach((slot, to) -> leaving.put(slot, ClusterPrimary.partition(to)));
            arriving.addAll(node.arriving().keySet());
        }
        try {
            return Optional.of(new ServedSlots(new SlotMap(1, owners), leaving, arriving));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // no node, or a slot with two owners
        }
    }

    public CompletableFuture<? extends Reply<?>> execute(TrafficCommand<?> command) {
        return command instanceof TrafficCommand.Report report ? report(report) : readReports();
    }

    private CompletableFuture<Reply<Boolean>> report(TrafficCommand.Report command) {
        ScriptCall call = ScriptCall.of(
                Script.REPORT_TRAFFIC,
                List.of(fenceKeys.traffic(), InstanceRecord.KEY),
                List.of(
                        Requests.text(command.client()),
                        command.report().bytes(),
                        Requests.text(TrafficCommand.MOST_CLIENTS),
                        Requests.text(Long.toString(TrafficCommand.KEPT.toMillis()))));
        return writer.write(writer.script(call, RespAnswers.integer(), Route.ANY, RespAnswers::isOne));
    }

    private CompletableFuture<Reply<TrafficCommand.Reports>> readReports() {
        ScriptCall call = ScriptCall.of(
                Script.READ_TRAFFIC,
                fenceKeys.traffic(),
                List.of(Requests.text(Long.toString(TrafficCommand.KEPT.toMillis()))));
        return writer.write(writer.script(call, RespAnswers.nested(), Route.ANY, RedisControl::reports));
    }

    /** Skips unreadable reports; other software wrote them. */
    private static TrafficCommand.Reports reports(List<Object> answer) {
        List<TrafficCommand.Kept> kept = new ArrayList<>();
        for (Object each : answer.subList(1, answer.size())) {
            List<?> words = (List<?>) each;
            String client = RespAnswers.text(RespAnswers.bytes(words.get(0)));
            long age = RespAnswers.number(words.get(1));
            TrafficReport.read(RespAnswers.bytes(words.get(2)))
                    .ifPresent(report -> kept.add(new TrafficCommand.Kept(client, age, report)));
        }
        boolean hasRefused = RespAnswers.number(answer.get(0)) == 1;
        return new TrafficCommand.Reports(kept, !hasRefused && kept.size() == answer.size() - 1);
    }

    public CompletableFuture<? extends Reply<?>> execute(ReplicaCommand<?> command) {
        return command instanceof ReplicaCommand.KeepHeartbeat keep
                ? keep(keep)
                : read((ReplicaCommand.ReadBehind) command);
    }

    private CompletableFuture<Reply<ReplicaCommand.Kept>> keep(ReplicaCommand.KeepHeartbeat command) {
        if (command.slot() != ReplicaCommand.NO_SLOT) {
            return keepAtNode(command);
        }
        return epoch.incarnation()
                .map(incarnation -> keep(
                        heartbeat(List.of(fenceKeys.heartbeat(), InstanceRecord.KEY), incarnation, command.pace()),
                        Reply.refused(Refusal.NOT_NOW, "the partition's epoch has changed")))
                .orElseGet(() -> CompletableFuture.completedFuture(
                        Reply.refused(Refusal.FORBIDDEN, "the connection is in no epoch, and writes no beat")));
    }

    /** Only this node may reply: another node's heartbeat would not reach the replicas of this one. */
    private CompletableFuture<Reply<ReplicaCommand.Kept>> keepAtNode(ReplicaCommand.KeepHeartbeat command) {
        List<EncodedKey> keys = List.of(fenceKeys.heartbeat(command.slot()));
        return keep(
                heartbeat(keys, "%08x".formatted(epoch.value()), command.pace()).forThisServer(),
                Reply.refused(Refusal.FORBIDDEN, "the node does not tell its replication id, and has no beat"));
    }

    private RoutedCommand<List<Object>, Optional<ReplicaCommand.Kept>> heartbeat(
            List<EncodedKey> keys, String incarnation, Duration pace) {
        ScriptCall call = ScriptCall.of(Script.KEEP_HEARTBEAT, keys, List.of(Requests.text(incarnation), micros(pace)));
        return writer.script(call, RespAnswers.nested(), Route.ANY, this::kept);
    }

    private CompletableFuture<Reply<ReplicaCommand.Kept>> keep(
            RoutedCommand<?, Optional<ReplicaCommand.Kept>> heartbeat, Reply<ReplicaCommand.Kept> otherwise) {
        return writer.write(heartbeat)
                .thenApply(reply -> reply instanceof Reply.Done<Optional<ReplicaCommand.Kept>> done
                        ? done.value().map(Reply::done).orElse(otherwise)
                        : reply.map(Optional::orElseThrow));
    }

    private Optional<ReplicaCommand.Kept> kept(List<Object> answer) {
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
        return slot == ReplicaCommand.NO_SLOT ? fenceKeys.heartbeat() : fenceKeys.heartbeat(slot);
    }

    /** Reads the heartbeat first: values read after it on the same connection are at least as new. */
    private CompletableFuture<Reply<ReplicaCommand.Behind>> read(ReplicaCommand.ReadBehind command) {
        RoutedCommand<byte[], Optional<ReplicaCommand.Heartbeat>> heartbeat = writer.bare(
                CommandType.GET,
                RespAnswers.value(),
                Requests.key(heartbeatKey(command.slot())),
                Route.ANY,
                RedisControl::heartbeat);
        if (command.wanted().isEmpty()) {
            return writer.write(heartbeat)
                    .thenApply(reply -> reply.map(found -> new ReplicaCommand.Behind(found, List.of())));
        }
        if (writer.isOfCluster()) {
            return readAtNode(heartbeat, command.wanted());
        }
        RoutedCommand<List<byte[]>, List<Lookup>> values = values(command.wanted());
        writer.writeAll(List.of(heartbeat, values));
        return heartbeat.reply().thenCombine(values.reply(), RedisControl::together);
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
        return heartbeat
                .reply()
                .thenCombine(
                        EntryReads.inOrder(
                                wanted,
                                parts,
                                commands.stream().map(RoutedCommand::reply).toList()),
                        RedisControl::together);
    }

    private RoutedCommand<List<byte[]>, List<Lookup>> values(List<EncodedKey> keys) {
        return writer.command(
                CommandType.MGET,
                RespAnswers.valueList(),
                keys,
                Requests.bare(keys),
                Route.ANY,
                found -> reader.readAll(keys, found));
    }

    private static Reply<ReplicaCommand.Behind> together(
            Reply<Optional<ReplicaCommand.Heartbeat>> heartbeat, Reply<List<Lookup>> values) {
        return heartbeat instanceof Reply.Done<Optional<ReplicaCommand.Heartbeat>> found
                ? values.map(lookups -> new ReplicaCommand.Behind(found.value(), lookups))
                : heartbeat.map(none -> new ReplicaCommand.Behind(none, List.of()));
    }

    private static Optional<ReplicaCommand.Heartbeat> heartbeat(byte @Nullable [] stored) {
        Matcher matcher = HEARTBEAT.matcher(RespAnswers.text(stored));
        return matcher.matches()
                ? Optional.of(new ReplicaCommand.Heartbeat(matcher.group(1), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }
}
