// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command.ServedSlots;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficReport;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
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
 * @param session with the version of the slot map, but without fences
 * @param any for commands that may be sent by any slot map
 */
record RedisControl(RedisSession session, RedisSession any, Epoch epoch, InternalKeys fenceKeys) {
    private static final Pattern HEARTBEAT = Pattern.compile("([0-9a-f]{16}) (\\d{1,16}) \\d{1,16}");
    private static final String COORDINATOR = "coordinator";
    private static final char NONE = '-';

    private CommandWriter writer() {
        return session.writer();
    }

    CompletableFuture<? extends Reply<?>> execute(FenceCommand<?> command) {
        if (command instanceof FenceCommand.SetFence set) {
            return setFence(set);
        }
        return command instanceof FenceCommand.SetMinVersion min ? setMinVersion(min) : readFences();
    }

    private CompletableFuture<Reply<Boolean>> setFence(FenceCommand.SetFence command) {
        FenceCommand.To to = command.to();
        List<EncodedKey> keys = new ArrayList<>(List.of(fenceKeys.fence()));
        List<Long> slots = new ArrayList<>();
        command.slots().forEach((slot, ownership) -> {
            keys.add(fenceKeys.dirty(slot));
            slots.addAll(List.of((long) slot, ownership));
        });
        return session.send(ScriptCall.of(
                Script.SET_FENCE,
                keys,
                command.coordinator(),
                to.move(),
                letters(command.from()),
                letter(to.state()),
                to.mapVersion(),
                slots));
    }

    private static String letters(FenceCommand.From from) {
        StringBuilder letters = new StringBuilder();
        from.states().forEach(state -> letters.append(state.letter()));
        return from.orNone() ? letters.append(NONE).toString() : letters.toString();
    }

    private static char letter(SlotFence.@Nullable State state) {
        return state == null ? NONE : state.letter();
    }

    private CompletableFuture<Reply<FenceCommand.Fences>> readFences() {
        return writer().write(session.command(
                CommandType.HGETALL, Resp.valueList(), RedisControl::fences, fenceKeys.fence()));
    }

    private static FenceCommand.Fences fences(List<byte[]> fieldsAndValues) {
        long ended = 0;
        Map<String, Long> coordinators = new HashMap<>();
        Map<Integer, SlotFence> slots = new HashMap<>();
        for (int i = 0; i < fieldsAndValues.size(); i += 2) {
            String field = Resp.text(fieldsAndValues.get(i));
            String value = Resp.text(fieldsAndValues.get(i + 1));
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
        return session.count(ScriptCall.of(
                Script.SET_MIN_VERSION,
                InstanceRecord.KEY,
                InstanceRecord.minVersionField(fenceKeys.namespace()),
                command.mapVersion()));
    }

    CompletableFuture<Reply<Optional<ServedSlots>>> servedSlots() {
        return writer().write(session.command(
                CommandType.CLUSTER, Resp.value(), text -> servedSlots(Resp.text(text)), "NODES"));
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

    CompletableFuture<? extends Reply<?>> execute(TrafficCommand<?> command) {
        return command instanceof TrafficCommand.Report report ? report(report) : readReports();
    }

    private CompletableFuture<Reply<Boolean>> report(TrafficCommand.Report command) {
        return any.send(ScriptCall.of(
                Script.REPORT_TRAFFIC,
                List.of(fenceKeys.traffic(), InstanceRecord.KEY),
                command.client(),
                command.report().bytes(),
                TrafficCommand.MOST_CLIENTS,
                TrafficCommand.KEPT.toMillis()));
    }

    private CompletableFuture<Reply<TrafficCommand.Reports>> readReports() {
        return any.send(
                ScriptCall.of(Script.READ_TRAFFIC, fenceKeys.traffic(), TrafficCommand.KEPT.toMillis()),
                RedisControl::reports);
    }

    /** Skips unreadable reports; other software wrote them. */
    private static TrafficCommand.Reports reports(List<Object> answer) {
        List<TrafficCommand.Kept> kept = new ArrayList<>();
        for (Object each : answer.subList(1, answer.size())) {
            List<?> words = (List<?>) each;
            String client = Resp.text(Resp.bytes(words.get(0)));
            long age = Resp.number(words.get(1));
            TrafficReport.read(Resp.bytes(words.get(2)))
                    .ifPresent(report -> kept.add(new TrafficCommand.Kept(client, age, report)));
        }
        boolean hasRefused = Resp.number(answer.get(0)) == 1;
        return new TrafficCommand.Reports(kept, !hasRefused && kept.size() == answer.size() - 1);
    }

    CompletableFuture<? extends Reply<?>> execute(ReplicaCommand<?> command) {
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
        long micros = TimeUnit.NANOSECONDS.toMicros(pace.toNanos());
        return any.script(ScriptCall.of(Script.KEEP_HEARTBEAT, keys, incarnation, micros), Resp.nested(), this::kept);
    }

    private CompletableFuture<Reply<ReplicaCommand.Kept>> keep(
            RoutedCommand<?, Optional<ReplicaCommand.Kept>> heartbeat, Reply<ReplicaCommand.Kept> otherwise) {
        return writer().write(heartbeat)
                .thenApply(reply -> reply instanceof Reply.Done<Optional<ReplicaCommand.Kept>> done
                        ? done.value().map(Reply::done).orElse(otherwise)
                        : reply.map(Optional::orElseThrow));
    }

    private Optional<ReplicaCommand.Kept> kept(List<Object> answer) {
        long number = Resp.number(answer.get(1));
        if (number == 0 || !(answer.get(0) instanceof byte[] incarnation)) {
            return Optional.empty();
        }
        return Optional.of(new ReplicaCommand.Kept(
                new ReplicaCommand.Heartbeat(Resp.text(incarnation), number),
                epoch.value(),
                Resp.number(answer.get(2)) == 1));
    }

    /** Reads the heartbeat first: values read after it on the same connection are at least as new. */
    private CompletableFuture<Reply<ReplicaCommand.Behind>> read(ReplicaCommand.ReadBehind command) {
        EncodedKey key =
                command.slot() == ReplicaCommand.NO_SLOT ? fenceKeys.heartbeat() : fenceKeys.heartbeat(command.slot());
        RoutedCommand<byte[], Optional<ReplicaCommand.Heartbeat>> heartbeat =
                any.command(CommandType.GET, Resp.value(), RedisControl::heartbeat, key);
        // On a cluster, one command per slot. If one of them is refused, all are, because the node may have lost the
        // slot.
        List<List<EncodedKey>> parts = command.wanted().isEmpty() ? List.of() : writer().together(command.wanted());
        List<RoutedCommand<List<byte[]>, List<Lookup>>> values =
                parts.stream().map(any::getAll).toList();
        List<RoutedCommand<?, ?>> all = new ArrayList<>();
        all.add(heartbeat);
        all.addAll(values);
        writer().writeAll(all);
        CompletableFuture<Reply<List<Lookup>>> lookups = values.size() == 1
                ? values.get(0).reply()
                : RedisEntries.inOrder(
                        command.wanted(),
                        parts,
                        values.stream().map(RoutedCommand::reply).toList());
        return heartbeat.reply().thenCombine(lookups, RedisControl::together);
    }

    private static Reply<ReplicaCommand.Behind> together(
            Reply<Optional<ReplicaCommand.Heartbeat>> heartbeat, Reply<List<Lookup>> values) {
        return heartbeat instanceof Reply.Done<Optional<ReplicaCommand.Heartbeat>> found
                ? values.map(lookups -> new ReplicaCommand.Behind(found.value(), lookups))
                : heartbeat.map(none -> new ReplicaCommand.Behind(none, List.of()));
    }

    private static Optional<ReplicaCommand.Heartbeat> heartbeat(byte @Nullable [] stored) {
        Matcher matcher = HEARTBEAT.matcher(Resp.text(stored));
        return matcher.matches()
                ? Optional.of(new ReplicaCommand.Heartbeat(matcher.group(1), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }
}
