// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Handlers;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.client.partition.SlotTransfer.Peer;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.InternalKeys;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Piece;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Moves slots by commands that every provider permits; not for instances with possibly foreign keys. */
final class RedisTransfer {
    /** The number of members of an aggregate per request. */
    private static final int STEP = 16;

    private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

    private static final Pattern USED = Pattern.compile("(?m)^used_memory:(\\d{1,18})\\s*$");
    private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:([a-z-]{1,40})\\s*$");
    private static final Pattern MOST = Pattern.compile("(?m)^maxmemory:(\\d{1,18})\\s*$");

    /** The names of Keyslot's connections, with a dash for the version during the handshake. */
    private static final Pattern OURS = Pattern.compile("keyslot:\\S*:(\\d{1,18}|-)");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    private static final Handlers<RedisTransfer, SlotTransfer<?>, CompletableFuture<? extends Reply<?>>> HANDLERS =
            new Handlers<RedisTransfer, SlotTransfer<?>, CompletableFuture<? extends Reply<?>>>()
                    .on(SlotTransfer.Keys.class, RedisTransfer::keys)
                    .on(SlotTransfer.Export.class, RedisTransfer::export)
                    .on(SlotTransfer.ExportRest.class, RedisTransfer::exportRest)
                    .on(SlotTransfer.Import.class, RedisTransfer::importPieces)
                    .on(SlotTransfer.Purge.class, RedisTransfer::purge)
                    .on(SlotTransfer.ReadDirty.class, RedisTransfer::readDirty)
                    .on(SlotTransfer.ForgetDirty.class, RedisTransfer::forgetDirty)
                    .on(SlotTransfer.Weights.class, RedisTransfer::weights)
                    .on(SlotTransfer.Memory.class, (self, memory) -> self.memory())
                    .on(SlotTransfer.ListClients.class, (self, list) -> self.listClients())
                    .on(SlotTransfer.Dismiss.class, RedisTransfer::dismiss)
                    .on(SlotTransfer.Note.class, RedisTransfer::note)
                    .on(SlotTransfer.ReadNote.class, (self, read) -> self.readNote(read.move()));

    private final CommandWriter writer;
    private final InternalKeys fences;
    private final StoredPieces pieces;
    private final boolean isGuarded;

    public RedisTransfer(CommandWriter writer, Requests requests, InternalKeys fences) {
        this.writer = writer;
        this.fences = fences;
        this.pieces = new StoredPieces(requests.epoch());
        this.isGuarded = requests.isGuarded();
    }

    public CompletableFuture<? extends Reply<?>> execute(SlotTransfer<?> command) {
        return HANDLERS.answer(this, command);
    }

    private CompletableFuture<Reply<ScanPage>> keys(SlotTransfer.Keys command) {
        CommandArgs<byte[], byte[]> arguments =
                new CommandArgs<>(CODEC).add(command.cursor()).add("COUNT").add(command.count());
        return unlessOfForeign(() -> command(
                CommandType.SCAN,
                RespAnswers.keys(),
                arguments,
                (KeyScanCursor<byte[]> cursor) -> page(command, cursor)));
    }

    private ScanPage page(SlotTransfer.Keys command, KeyScanCursor<byte[]> cursor) {
        return new ScanPage(
                cursor.getKeys().stream()
                        .map(EncodedKey::new)
                        .filter(key -> command.lists(key, fences.namespace()))
                        .toList(),
                cursor.getCursor());
    }

    private CompletableFuture<Reply<List<Piece>>> export(SlotTransfer.Export command) {
        List<EncodedKey> keys = command.keys();
        return keys.isEmpty()
                ? CompletableFuture.completedFuture(Reply.done(List.of()))
                : unlessOfForeign(() -> script(
                        Script.EXPORT,
                        keys,
                        List.of(Requests.text(SlotTransfer.MOST_BYTES), Requests.text(STEP)),
                        RespAnswers.nested(),
                        answer -> pieces.first(keys, answer)));
    }

    private CompletableFuture<Reply<Piece>> exportRest(SlotTransfer.ExportRest command) {
        return unlessOfForeign(() -> script(
                Script.EXPORT,
                List.of(command.key()),
                List.of(
                        Requests.text(SlotTransfer.MOST_BYTES),
                        Requests.text(STEP),
                        Requests.text(StoredPieces.letterOf(command.form())),
                        Requests.text(command.from())),
                RespAnswers.nested(),
                answer -> pieces.piece(command.key(), (List<?>) answer.get(0), command.from())));
    }

    /** Sends strings first, those without expiry before the others, because they need the fewest words. */
    private CompletableFuture<Reply<Boolean>> importPieces(SlotTransfer.Import command) {
        List<Piece> eternal = new ArrayList<>(command.pieces().size());
        List<Piece> expiring = new ArrayList<>();
        List<Piece> others = new ArrayList<>();
        for (Piece piece : command.pieces()) {
            boolean isString = piece.form() == Piece.Form.STRING;
            (!isString ? others : piece.expiresInMillis() < 0 ? eternal : expiring).add(piece);
        }
        List<EncodedKey> own = new ArrayList<>(command.pieces().size());
        Stream.of(eternal, expiring, others).forEach(some -> some.forEach(piece -> own.add(piece.key())));
        List<EncodedKey> keys = new ArrayList<>(2 + own.size());
        keys.add(fences.fence());
        keys.add(EncodedKey.of(fences.fence().text() + ":none"));
        keys.addAll(own);
        List<byte[]> arguments = guard(command.guard(), own);
        arguments.add(Requests.text(eternal.size()));
        eternal.forEach(piece -> arguments.addAll(pieces.stored(piece)));
        arguments.add(Requests.text(expiring.size()));
        for (Piece piece : expiring) {
            arguments.addAll(pieces.stored(piece));
            arguments.add(Requests.text(Long.toString(piece.expiresInMillis())));
        }
        others.forEach(piece -> addTo(arguments, piece));
        return unlessOfForeign(() -> script(Script.IMPORT, keys, arguments, RespAnswers.integer(), RespAnswers::isOne));
    }

    private void addTo(List<byte[]> arguments, Piece piece) {
        List<byte[]> words = pieces.stored(piece);
        arguments.add(Requests.text(StoredPieces.letterOf(piece.form())));
        arguments.add(Requests.text(piece.isFirst() ? "1" : "0"));
        arguments.add(Requests.text(Long.toString(piece.expiresInMillis() < 0 ? -1 : piece.expiresInMillis())));
        arguments.add(Requests.text(words.size()));
        arguments.addAll(words);
    }

    /** Returns the arguments that state the required fences of these keys' slots, each slot once. */
    private static List<byte[]> guard(SlotTransfer.Guard guard, List<EncodedKey> keys) {
        Set<Integer> slots = new HashSet<>();
        keys.forEach(key -> slots.add(guard.slots().slotOf(key)));
        List<byte[]> arguments = beginning(guard);
        arguments.add(Requests.text(slots.size()));
        slots.forEach(slot -> arguments.add(Requests.text(slot)));
        return arguments;
    }

    private static List<byte[]> beginning(SlotTransfer.Guard guard) {
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(Requests.text(guard.state().letter() + " " + guard.move() + " "));
        arguments.add(Requests.text(Long.toString(guard.coordinator())));
        return arguments;
    }

    private CompletableFuture<Reply<Boolean>> purge(SlotTransfer.Purge command) {
        List<EncodedKey> keys = new ArrayList<>();
        keys.add(fences.fence());
        keys.addAll(command.keys());
        return unlessOfForeign(() -> script(
                Script.PURGE, keys, guard(command.guard(), command.keys()), RespAnswers.integer(), RespAnswers::isOne));
    }

    private CompletableFuture<Reply<List<SlotTransfer.Dirty>>> readDirty(SlotTransfer.ReadDirty command) {
        List<EncodedKey> keys = new ArrayList<>();
        keys.add(fences.fence());
        List<byte[]> arguments = beginning(command.guard());
        arguments.add(Requests.text(command.atMost()));
        for (int slot : command.slots()) {
            keys.add(fences.dirty(slot));
            arguments.add(Requests.text(slot));
        }
        return writer.write(script(
                Script.READ_DIRTY, keys, arguments, RespAnswers.nested(), answer -> dirty(command.slots(), answer)));
    }

    private static List<SlotTransfer.Dirty> dirty(List<Integer> slots, List<Object> answer) {
        return answer.stream()
                .map(each -> (List<?>) each)
                .map(each -> new SlotTransfer.Dirty(
                        slots.get((int) RespAnswers.number(each.get(0)) - 1),
                        RespAnswers.number(each.get(1)) == 1,
                        each.subList(2, each.size()).stream()
                                .map(RespAnswers::bytes)
                                .map(EncodedKey::new)
                                .toList()))
                .toList();
    }

    private CompletableFuture<Reply<Boolean>> forgetDirty(SlotTransfer.ForgetDirty command) {
        List<byte[]> arguments = beginning(command.guard());
        arguments.add(Requests.text(command.slot()));
        command.keys().forEach(key -> arguments.add(key.bytes()));
        return writer.write(script(
                Script.FORGET_DIRTY,
                List.of(fences.fence(), fences.dirty(command.slot())),
                arguments,
                RespAnswers.integer(),
                RespAnswers::isOne));
    }

    private CompletableFuture<Reply<List<Long>>> weights(SlotTransfer.Weights command) {
        return command.keys().isEmpty()
                ? CompletableFuture.completedFuture(Reply.done(List.of()))
                : writer.write(script(
                        Script.WEIGHTS,
                        command.keys(),
                        List.of(),
                        RespAnswers.nested(),
                        answer -> answer.stream().map(RespAnswers::number).toList()));
    }

    private CompletableFuture<Reply<SlotTransfer.MemoryUse>> memory() {
        RoutedCommand<Long, Long> keys =
                command(CommandType.DBSIZE, RespAnswers.integer(), new CommandArgs<>(CODEC), Function.identity());
        RoutedCommand<byte[], String> info = command(
                CommandType.INFO, RespAnswers.value(), new CommandArgs<>(CODEC).add("memory"), RespAnswers::text);
        writer.writeAll(List.of(keys, info));
        return keys.reply()
                .thenCombine(
                        info.reply(),
                        (count, text) -> count instanceof Reply.Done<Long> done
                                ? text.map(said -> memoryUse(said, done.value()))
                                : count.map(never -> memoryUse("", never)));
    }

    /** Parses {@code INFO memory}. Managed servers may omit any line. */
    private static MemoryUse memoryUse(String info, long keys) {
        Matcher policy = POLICY.matcher(info);
        return new MemoryUse(find(USED, info), find(MOST, info), keys, policy.find() ? policy.group(1) : "");
    }

    private static long find(Pattern pattern, String info) {
        Matcher matcher = pattern.matcher(info);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private CompletableFuture<Reply<List<SlotTransfer.Peer>>> listClients() {
        RoutedCommand<Long, Long> own = command(
                CommandType.CLIENT, RespAnswers.integer(), new CommandArgs<>(CODEC).add("ID"), Function.identity());
        RoutedCommand<byte[], String> list = command(
                CommandType.CLIENT, RespAnswers.value(), new CommandArgs<>(CODEC).add("LIST"), RespAnswers::text);
        writer.writeAll(List.of(own, list));
        return own.reply()
                .thenCombine(
                        list.reply(),
                        (id, text) -> id instanceof Reply.Done<Long> done
                                ? text.map(said -> peers(said, done.value()))
                                : id.map(never -> List.of()));
    }

    /** Parses {@code CLIENT LIST}: one line per client, with {@code name=value} words. */
    private static List<Peer> peers(String list, long own) {
        return list.lines()
                .map(RedisTransfer::words)
                .filter(words -> words.containsKey("id"))
                .map(RedisTransfer::peer)
                .filter(peer -> peer.id() != own)
                .toList();
    }

    private static Map<String, String> words(String line) {
        return Stream.of(line.split(" "))
                .map(word -> word.split("=", 2))
                .filter(word -> word.length == 2)
                .collect(Collectors.toMap(word -> word[0], word -> word[1], (first, second) -> first));
    }

    private static Peer peer(Map<String, String> words) {
        String name = words.getOrDefault("name", "");
        Matcher ours = OURS.matcher(name);
        boolean isOurs = ours.matches();
        return new Peer(
                number(words.getOrDefault("id", "")),
                name,
                isOurs,
                isOurs && !ours.group(1).equals("-") ? Long.parseLong(ours.group(1)) : Peer.ENTERING,
                number(words.getOrDefault("age", "")));
    }

    private static long number(String text) {
        return NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
    }

    private CompletableFuture<Reply<Long>> dismiss(SlotTransfer.Dismiss command) {
        List<RoutedCommand<Long, Long>> kills = command.ids().stream()
                .map(id -> command(
                        CommandType.CLIENT,
                        RespAnswers.integer(),
                        new CommandArgs<>(CODEC).add("KILL").add("ID").add(id),
                        Function.<Long>identity()))
                .toList();
        writer.writeAll(kills);
        return Replies.all(kills.stream().map(RoutedCommand::reply).toList())
                .thenApply(Replies::ofWrite)
                .thenApply(reply -> reply.map(
                        counts -> counts.stream().mapToLong(Long::longValue).sum()));
    }

    private CompletableFuture<Reply<Boolean>> note(SlotTransfer.Note command) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(CODEC)
                .addKey(fences.note(command.move()).bytes())
                .addValue(command.text().getBytes(StandardCharsets.UTF_8))
                .add("PX")
                .add(SlotTransfer.Note.KEPT_MILLIS);
        return writer.write(command(CommandType.SET, RespAnswers.value(), arguments, done -> done != null));
    }

    private CompletableFuture<Reply<SlotTransfer.Noted>> readNote(String move) {
        RoutedCommand<byte[], byte[]> text =
                command(CommandType.GET, RespAnswers.value(), ofNote(move), Function.identity());
        RoutedCommand<Long, Long> left =
                command(CommandType.PTTL, RespAnswers.integer(), ofNote(move), Function.identity());
        writer.writeAll(List.of(text, left));
        return text.reply()
                .thenCombine(
                        left.reply(),
                        (found, millis) -> millis instanceof Reply.Done<Long> done
                                ? found.map(bytes -> noted(bytes, done.value()))
                                : millis.map(never -> SlotTransfer.Noted.NOTHING));
    }

    private CommandArgs<byte[], byte[]> ofNote(String move) {
        return new CommandArgs<>(CODEC).addKey(fences.note(move).bytes());
    }

    private static SlotTransfer.Noted noted(byte @Nullable [] text, long leftMillis) {
        return text == null || leftMillis < 0
                ? SlotTransfer.Noted.NOTHING
                : new SlotTransfer.Noted(
                        new String(text, StandardCharsets.UTF_8), SlotTransfer.Note.KEPT_MILLIS - leftMillis);
    }

    private <T, R> CompletableFuture<Reply<R>> unlessOfForeign(Supplier<RoutedCommand<T, R>> command) {
        return isGuarded
                ? CompletableFuture.completedFuture(Reply.refused(
                        Refusal.FORBIDDEN,
                        "the instance may have data of strangers (adoptInstances: always): no slots are moved from it or to"
                                + " it"))
                : writer.write(command.get());
    }

    private <T, R> RoutedCommand<T, R> script(
            Script script,
            List<EncodedKey> keys,
            List<byte[]> arguments,
            CommandOutput<byte[], byte[], T> output,
            Function<T, R> decoder) {
        return writer.script(ScriptCall.of(script, keys, arguments), output, Route.ANY, decoder);
    }

    private <T, R> RoutedCommand<T, R> command(
            CommandType type,
            CommandOutput<byte[], byte[], T> output,
            CommandArgs<byte[], byte[]> arguments,
            Function<T, R> decoder) {
        return writer.command(type, output, arguments, Route.ANY, decoder);
    }
}
