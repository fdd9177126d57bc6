// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Handlers;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.client.partition.SlotTransfer.Peer;
import io.keyslot.client.partition.SlotTransfer.ServerFacts;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Piece;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Moves slots by commands that every provider permits; not for instances with possibly foreign keys.
 *
 * <p>{@code transfer.lua} has a piece as a letter for the form, the time to live, the start of the next piece, and the
 * words. The epoch is in front of bytes, and in each stamp of an aggregate, that is in {@link GroupHome#stamps} except
 * some fields. Data of an earlier epoch is omitted.
 */
final class RedisTransfer {
    /** The number of members of an aggregate per request. */
    private static final int STEP = 16;

    private static final Pattern USED = Pattern.compile("(?m)^used_memory:(\\d{1,18})\\s*$");
    private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:([a-z-]{1,40})\\s*$");
    private static final Pattern VALKEY = Pattern.compile("(?m)^valkey_version:([\\w.-]{1,40})\\s*$");
    private static final Pattern REDIS = Pattern.compile("(?m)^redis_version:([\\w.-]{1,40})\\s*$");
    private static final Pattern ROLE = Pattern.compile("(?m)^role:([a-z]{1,20})\\s*$");
    private static final Pattern EVICTED = Pattern.compile("(?m)^evicted_keys:(\\d{1,18})\\s*$");
    private static final Pattern MOST = Pattern.compile("(?m)^maxmemory:(\\d{1,18})\\s*$");

    /** The names of Keyslot's connections, with a dash for the version during the handshake. */
    private static final Pattern OURS = Pattern.compile("keyslot:\\S*:(\\d{1,18}|-)");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    private static final long NOT_THERE = -2;

    private static final Map<String, Piece.Form> FORMS = Map.of(
            "n", Piece.Form.NOTHING,
            "s", Piece.Form.STRING,
            "h", Piece.Form.HASH,
            "l", Piece.Form.LIST,
            "t", Piece.Form.SET,
            "z", Piece.Form.SORTED_SET);

    /** The field of the stamps that names the aggregate with the longest lifetime. */
    private static final String LONGEST = "longest";

    private static final int STAMP_BYTES = Integer.BYTES + Long.BYTES;

    private static final int WORDS = 3;

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

    private final RedisSession session;
    private final CommandWriter writer;
    private final InternalKeys fences;

    RedisTransfer(RedisSession session, InternalKeys fences) {
        this.session = session;
        this.writer = session.writer();
        this.fences = fences;
    }

    CompletableFuture<? extends Reply<?>> execute(SlotTransfer<?> command) {
        return HANDLERS.answer(this, command);
    }

    private CompletableFuture<Reply<ScanPage>> keys(SlotTransfer.Keys command) {
        return unlessOfForeign(() -> session.command(
                CommandType.SCAN,
                Resp.scanned(),
                (KeyScanCursor<byte[]> cursor) -> page(command, cursor),
                command.cursor(),
                "COUNT",
                command.count()));
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
                : unlessOfForeign(() -> session.script(
                        ScriptCall.of(Script.EXPORT, keys, SlotTransfer.MOST_BYTES, STEP),
                        Resp.nested(),
                        answer -> first(keys, answer)));
    }

    private CompletableFuture<Reply<Piece>> exportRest(SlotTransfer.ExportRest command) {
        return unlessOfForeign(() -> session.script(
                ScriptCall.of(
                        Script.EXPORT,
                        List.of(command.key()),
                        SlotTransfer.MOST_BYTES,
                        STEP,
                        letterOf(command.form()),
                        command.from()),
                Resp.nested(),
                answer -> piece(command.key(), (List<?>) answer.get(0), command.from())));
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
        List<byte[]> words = guard(command.guard(), own);
        words.add(Resp.word(eternal.size()));
        eternal.forEach(piece -> words.addAll(stored(piece)));
        words.addAll(Resp.words(expiring.size()));
        expiring.forEach(piece -> words.addAll(Resp.words(stored(piece), piece.expiresInMillis())));
        for (Piece piece : others) {
            List<byte[]> stored = stored(piece);
            words.addAll(Resp.words(
                    letterOf(piece.form()),
                    piece.isFirst() ? 1 : 0,
                    Math.max(-1, piece.expiresInMillis()),
                    stored.size(),
                    stored));
        }
        return ifGuarded(Script.IMPORT, keys, words);
    }

    private CompletableFuture<Reply<Boolean>> ifGuarded(Script script, List<EncodedKey> keys, List<byte[]> words) {
        return unlessOfForeign(() -> session.script(ScriptCall.of(script, keys, words), Resp.integer(), Resp::isOne));
    }

    /** Returns the words that state the required fences of these keys' slots, each slot once. */
    private static List<byte[]> guard(SlotTransfer.Guard guard, List<EncodedKey> keys) {
        List<Integer> slots =
                keys.stream().map(guard.slots()::slotOf).distinct().toList();
        return Resp.words(beginning(guard), slots.size(), slots);
    }

    private static List<byte[]> beginning(SlotTransfer.Guard guard) {
        return Resp.words(guard.state().letter() + " " + guard.move() + " ", guard.coordinator());
    }

    private CompletableFuture<Reply<Boolean>> purge(SlotTransfer.Purge command) {
        List<EncodedKey> keys = new ArrayList<>(List.of(fences.fence()));
        keys.addAll(command.keys());
        return ifGuarded(Script.PURGE, keys, guard(command.guard(), command.keys()));
    }

    private CompletableFuture<Reply<List<SlotTransfer.Dirty>>> readDirty(SlotTransfer.ReadDirty command) {
        List<EncodedKey> keys = new ArrayList<>(List.of(fences.fence()));
        command.slots().forEach(slot -> keys.add(fences.dirty(slot)));
        return session.send(
                ScriptCall.of(Script.READ_DIRTY, keys, beginning(command.guard()), command.atMost(), command.slots()),
                answer -> dirty(command.slots(), answer));
    }

    private static List<SlotTransfer.Dirty> dirty(List<Integer> slots, List<Object> answer) {
        return answer.stream()
                .map(each -> (List<?>) each)
                .map(each -> new SlotTransfer.Dirty(
                        slots.get((int) Resp.number(each.get(0)) - 1),
                        Resp.number(each.get(1)) == 1,
                        each.subList(2, each.size()).stream()
                                .map(Resp::bytes)
                                .map(EncodedKey::new)
                                .toList()))
                .toList();
    }

    private CompletableFuture<Reply<Boolean>> forgetDirty(SlotTransfer.ForgetDirty command) {
        return session.send(ScriptCall.of(
                Script.FORGET_DIRTY,
                List.of(fences.fence(), fences.dirty(command.slot())),
                beginning(command.guard()),
                command.slot(),
                command.keys()));
    }

    private CompletableFuture<Reply<List<Long>>> weights(SlotTransfer.Weights command) {
        return command.keys().isEmpty()
                ? CompletableFuture.completedFuture(Reply.done(List.of()))
                : session.send(
                        ScriptCall.of(Script.WEIGHTS, command.keys()),
                        answer -> answer.stream().map(Resp::number).toList());
    }

    /** Sends two commands at once, and combines their results. */
    private <A, B, R> CompletableFuture<Reply<R>> both(
            RoutedCommand<?, A> first, RoutedCommand<?, B> second, BiFunction<A, B, R> together) {
        writer.writeAll(List.of(first, second));
        return first.reply()
                .thenCombine(
                        second.reply(),
                        (one, other) -> one instanceof Reply.Done<A> done
                                ? other.map(answer -> together.apply(done.value(), answer))
                                : one.as());
    }

    private RoutedCommand<Long, Long> number(CommandType type, Object... words) {
        return session.command(type, Resp.integer(), Function.identity(), words);
    }

    private CompletableFuture<Reply<MemoryUse>> memory() {
        return both(
                number(CommandType.DBSIZE),
                session.command(CommandType.INFO, Resp.value(), Resp::text),
                (keys, info) -> memoryUse(info, keys));
    }

    /** Parses {@code INFO}. Managed servers may omit any line. */
    private static MemoryUse memoryUse(String info, long keys) {
        String valkey = find(VALKEY, info);
        String redis = find(REDIS, info);
        String version = !valkey.isEmpty() ? "Valkey " + valkey : redis.isEmpty() ? "" : "Redis " + redis;
        String evicted = find(EVICTED, info);
        ServerFacts server =
                new ServerFacts(version, find(ROLE, info), evicted.isEmpty() ? null : Long.valueOf(evicted));
        return new MemoryUse(number(USED, info), number(MOST, info), keys, find(POLICY, info), server);
    }

    private static String find(Pattern pattern, String info) {
        Matcher matcher = pattern.matcher(info);
        return matcher.find() ? matcher.group(1) : "";
    }

    private static long number(Pattern pattern, String info) {
        String found = find(pattern, info);
        return found.isEmpty() ? 0 : Long.parseLong(found);
    }

    private CompletableFuture<Reply<List<Peer>>> listClients() {
        return both(
                number(CommandType.CLIENT, "ID"),
                session.command(CommandType.CLIENT, Resp.value(), Resp::text, "LIST"),
                (own, list) -> peers(list, own));
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
        return session.sum(command.ids().stream()
                .map(id -> number(CommandType.CLIENT, "KILL", "ID", id))
                .toList());
    }

    private CompletableFuture<Reply<Boolean>> note(SlotTransfer.Note command) {
        return writer.write(session.command(
                CommandType.SET,
                Resp.value(),
                done -> done != null,
                fences.note(command.move()),
                command.text(),
                "PX",
                SlotTransfer.Note.KEPT_MILLIS));
    }

    private CompletableFuture<Reply<SlotTransfer.Noted>> readNote(String move) {
        EncodedKey key = fences.note(move);
        return both(
                session.command(CommandType.GET, Resp.value(), Function.<byte[]>identity(), key),
                number(CommandType.PTTL, key),
                RedisTransfer::noted);
    }

    private static SlotTransfer.Noted noted(byte @Nullable [] text, long leftMillis) {
        return text == null || leftMillis < 0
                ? SlotTransfer.Noted.NOTHING
                : new SlotTransfer.Noted(
                        new String(text, StandardCharsets.UTF_8), SlotTransfer.Note.KEPT_MILLIS - leftMillis);
    }

    private <T, R> CompletableFuture<Reply<R>> unlessOfForeign(Supplier<RoutedCommand<T, R>> command) {
        return session.isGuarded()
                ? CompletableFuture.completedFuture(Reply.refused(
                        Refusal.FORBIDDEN,
                        "the instance may have data of strangers (adoptInstances: always): no slots are moved from it or to"
                                + " it"))
                : writer.write(command.get());
    }

    private static String letterOf(Piece.Form form) {
        return FORMS.entrySet().stream()
                .filter(entry -> entry.getValue() == form)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no server has a " + form));
    }

    private List<Piece> first(List<EncodedKey> keys, List<Object> answer) {
        List<Piece> pieces = new ArrayList<>(answer.size() / 2);
        for (int i = 0; i + 1 < answer.size(); i += 2) {
            EncodedKey key = keys.get(i / 2);
            pieces.add(
                    answer.get(i) instanceof List<?> other
                            ? piece(key, other, Piece.FIRST)
                            : string(key, Resp.bytes(answer.get(i)), Resp.number(answer.get(i + 1))));
        }
        return pieces;
    }

    private Piece string(EncodedKey key, byte[] stored, long left) {
        return left == NOT_THERE ? Piece.nothing(key) : Piece.string(key, stored, session.epoch(), left);
    }

    private Piece piece(EncodedKey key, List<?> answer, String from) {
        Piece.Form form = FORMS.getOrDefault(Resp.text(Resp.bytes(answer.get(0))), Piece.Form.NOTHING);
        if (form == Piece.Form.NOTHING) {
            return Piece.nothing(key);
        }
        long left = Resp.number(answer.get(1));
        List<byte[]> words =
                answer.subList(WORDS, answer.size()).stream().map(Resp::bytes).toList();
        if (form == Piece.Form.STRING) {
            return string(key, words.get(0), left);
        }
        List<byte[]> ofNoIncarnation = GroupHome.isStamps(key) ? stamps(words, true) : words;
        return new Piece(
                key,
                form,
                from,
                ofNoIncarnation.stream().map(Element::of).toList(),
                left,
                Resp.text(Resp.bytes(answer.get(2))));
    }

    /** Returns the words of a piece with the epoch of this instance. */
    private List<byte[]> stored(Piece piece) {
        List<byte[]> words = piece.words().stream().map(Element::bytes).toList();
        if (piece.form() == Piece.Form.STRING) {
            return List.of(Piece.inIncarnation(piece.key(), words.get(0), session.epoch()));
        }
        return GroupHome.isStamps(piece.key()) ? stamps(words, false) : words;
    }

    private List<byte[]> stamps(List<byte[]> fieldsAndValues, boolean isLeaving) {
        List<byte[]> all = new ArrayList<>(fieldsAndValues.size());
        for (int i = 0; i + 1 < fieldsAndValues.size(); i += 2) {
            byte[] field = fieldsAndValues.get(i);
            byte[] value = fieldsAndValues.get(i + 1);
            if (!isStamp(field, value)) {
                all.addAll(List.of(field, value));
            } else if (!isLeaving || ByteBuffer.wrap(value).getInt() == session.epoch()) {
                all.addAll(List.of(field, stamped(value, isLeaving ? Piece.NO_EPOCH : session.epoch())));
            }
        }
        return all;
    }

    private static boolean isStamp(byte[] field, byte[] value) {
        String name = Resp.text(field);
        return value.length == STAMP_BYTES && !name.equals(GroupHome.LAST_LOCK) && !name.equals(LONGEST);
    }

    private static byte[] stamped(byte[] value, int epoch) {
        byte[] bytes = Arrays.copyOf(value, value.length);
        ByteBuffer.wrap(bytes).putInt(epoch);
        return bytes;
    }
}
