// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.stored.StoredForm;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stores entries unconditionally, each with the cheapest command for its expiry. A bulk put is one command if no entry
 * expires, or if all have the same time to live and the server has {@code MSETEX} (Redis 8.4 and Valkey 9.1), one script if
 * the expiry depends on the present entry, and otherwise a pipeline where possible. Thread-safe.
 */
final class EntryPuts {
    /** Larger entries are sent in separate commands, because the server buffers all arguments of a command. */
    private static final int MOST_BYTES_TOGETHER = 4_096;

    private static final byte[] PX = Resp.word("PX");

    private static final String MSETEX = "MSETEX";

    /** Lettuce before 7.1 has no such name. */
    private static final @Nullable CommandType MSETEX_TYPE = Arrays.stream(CommandType.values())
            .filter(type -> type.name().equals(MSETEX))
            .findFirst()
            .orElse(null);

    private final RedisSession session;
    private final CommandWriter writer;
    private volatile boolean hasMsetex;

    EntryPuts(RedisSession session, boolean hasMsetex) {
        this.session = session;
        this.writer = session.writer();
        this.hasMsetex = hasMsetex;
    }

    CompletableFuture<Reply<Boolean>> put(Command.Put put) {
        return writer.write(alone(put));
    }

    CompletableFuture<Reply<List<Reply<Boolean>>>> putAll(List<Command.Put> puts) {
        if (!areBlind(puts)) {
            return areScripted(puts) ? scripted(puts) : apart(puts);
        }
        boolean areTogether = haveOneExpiry(puts);
        if (areTogether && puts.get(0).onUpdate().isNever()) {
            Entries entries = new Entries(puts, session.epoch(), List.of(), List.of());
            return writer.write(writer.command(
                    CommandType.MSET, Resp.ok(), entries, session.route(), ok -> each(puts, Resp.isOk(ok))));
        }
        CommandType msetex = areTogether && hasMsetex ? MSETEX_TYPE : null;
        return msetex != null ? expiring(msetex, puts) : pipelined(puts);
    }

    private static List<Reply<Boolean>> each(List<Command.Put> puts, boolean isStored) {
        return Collections.nCopies(puts.size(), Reply.done(isStored));
    }

    /** Returns whether plain commands suffice, with keys of several slots. */
    private boolean areBlind(List<Command.Put> puts) {
        return puts.size() > 1
                && !session.route().isFenced()
                && !writer.isOneSlot()
                && puts.stream().allMatch(this::isBlind);
    }

    /** Returns whether all puts set the same expiry, and are small enough for one command. */
    private static boolean haveOneExpiry(List<Command.Put> puts) {
        Command.Put first = puts.get(0);
        for (Command.Put put : puts) {
            if (!put.onCreation().equals(first.onCreation())
                    || !put.onUpdate().equals(first.onUpdate())
                    || put.envelope().sizeBytes() > MOST_BYTES_TOGETHER) {
                return false;
            }
        }
        return true;
    }

    /** Stores all entries or, if the server refuses, none; in a pipeline if the command is unavailable. */
    private CompletableFuture<Reply<List<Reply<Boolean>>>> expiring(CommandType msetex, List<Command.Put> puts) {
        RoutedCommand<Long, List<Reply<Boolean>>> together = writer.command(
                msetex,
                Resp.integer(),
                new Entries(puts, session.epoch(), List.of(Resp.word(puts.size())), plainOptions(puts.get(0))),
                session.route(),
                answer -> each(puts, Resp.isOne(answer)));
        return writer.write(together.then(reply -> {
            if (!ServerError.isMissing(MSETEX, reply)) {
                return null;
            }
            hasMsetex = false;
            return pipelined(puts);
        }));
    }

    private CompletableFuture<Reply<List<Reply<Boolean>>>> pipelined(List<Command.Put> puts) {
        List<EntrySet> sets = new ArrayList<>(puts.size());
        Expiry expiry = puts.get(0).onUpdate();
        SetOptions options = SetOptions.of(plainOptions(puts.get(0)));
        for (Command.Put put : puts) {
            Expiry own = put.onUpdate();
            if (!own.equals(expiry)) { // most batches have a single expiry
                expiry = own;
                options = SetOptions.of(plainOptions(put));
            }
            sets.add(new EntrySet(put.key(), put.envelope(), session.epoch(), options));
        }
        return new Pipeline(sets, session.route().mapVersion(), writer).write(writer);
    }

    private boolean areScripted(List<Command.Put> puts) {
        return puts.size() > 1
                && !writer.isOneSlot()
                && haveOneExpiry(puts)
                && puts.stream()
                        .allMatch(put -> put.key().form() == StoredForm.ENVELOPED
                                && !put.key().hasEffects()
                                && put.envelope().isEntry());
    }

    /** Stores entries by one script, which leaves those with unusual present values to scripts of their own. */
    private CompletableFuture<Reply<List<Reply<Boolean>>>> scripted(List<Command.Put> puts) {
        List<EncodedKey> keys = new ArrayList<>(puts.size());
        List<byte[]> entries = new ArrayList<>(puts.size());
        for (Command.Put put : puts) {
            keys.add(put.key());
            entries.add(session.bytes(put.key(), put.envelope()));
        }
        Command.Put first = puts.get(0);
        ScriptCall call = ScriptCall.of(Script.PUT_ALL, keys, entries, first.onCreation(), first.onUpdate());
        return writer.write(session.script(call, Resp.nested(), others -> storedBut(others, puts.size()))
                .then(reply -> withOthers(puts, reply)));
    }

    /** Returns {@code false} for the entries that the script did not store, whose positions count from 1. */
    private static List<Reply<Boolean>> storedBut(List<Object> others, int count) {
        List<Reply<Boolean>> replies = new ArrayList<>(Collections.nCopies(count, Reply.done(true)));
        others.forEach(position -> replies.set((int) Resp.number(position) - 1, Reply.done(false)));
        return replies;
    }

    private @Nullable CompletableFuture<Reply<List<Reply<Boolean>>>> withOthers(
            List<Command.Put> puts, Reply<List<Reply<Boolean>>> reply) {
        List<Reply<Boolean>> replies =
                reply instanceof Reply.Done<List<Reply<Boolean>>> done ? done.value() : List.of();
        int[] others = IntStream.range(0, replies.size())
                .filter(i -> replies.get(i).equals(Reply.done(false)))
                .toArray();
        if (others.length == 0) {
            return null;
        }
        return apart(Arrays.stream(others).mapToObj(puts::get).toList())
                .thenApply(answer -> answer.map(ofOthers -> {
                    for (int i = 0; i < others.length; i++) {
                        replies.set(others[i], ofOthers.get(i));
                    }
                    return replies;
                }));
    }

    private CompletableFuture<Reply<List<Reply<Boolean>>>> apart(List<Command.Put> puts) {
        List<RoutedCommand<?, Boolean>> commands = new ArrayList<>(puts.size());
        puts.forEach(put -> commands.add(alone(put)));
        writer.writeAll(commands);
        return RedisSession.replies(commands).thenApply(Reply::done);
    }

    /** Returns whether a plain {@code SET} suffices: not where foreign keys are possible, nor for markers. */
    private boolean isBlind(Command.Put put) {
        return !session.isGuarded()
                && put.envelope().isEntry()
                && put.onCreation().equals(put.onUpdate())
                && !put.key().hasEffects();
    }

    private static boolean hasOneExpiry(Command.Put put) {
        return put.onCreation().equals(put.onUpdate())
                || (put.onCreation().isNever() && put.onUpdate().isUnchanged());
    }

    private static List<byte[]> plainOptions(Command.Put put) {
        return put.onUpdate().isNever() ? List.of() : List.of(PX, Resp.word(put.onUpdate()));
    }

    private RoutedCommand<?, Boolean> alone(Command.Put put) {
        EncodedKey key = put.key();
        byte[] value = session.bytes(key, put.envelope());
        if (isBlind(put)) {
            byte[][] arguments = put.onUpdate().isNever()
                    ? new byte[][] {key.bytes(), value}
                    : new byte[][] {key.bytes(), value, PX, Resp.word(put.onUpdate())};
            return session.onKey(CommandType.SET, Resp.ok(), key, arguments, Resp::isOk);
        }
        Feed feed = key.feed();
        boolean isUsual =
                !session.isGuarded() && !key.isIndexed() && put.envelope().isEntry() && hasOneExpiry(put);
        if (feed == null || !isUsual) {
            return byScript(put, value);
        }
        ScriptCall usual =
                ScriptCall.of(Script.PUT_FED, key, value, put.onCreation(), put.onUpdate(), session.feedWords(feed));
        return session.script(usual, Resp.integer(), (Long answer) -> answer == 1)
                .then(reply -> reply instanceof Reply.Done<Boolean> done && !done.value()
                        ? writer.write(byScript(put, value))
                        : null);
    }

    private RoutedCommand<Long, Boolean> byScript(Command.Put put, byte[] value) {
        return session.script(
                ScriptCall.storing(
                        session, Script.PUT, put.key(), put.envelope(), value, put.onCreation(), put.onUpdate()),
                Resp.integer(),
                Resp::isOne);
    }

    /** Encodes a key and its entry as two arguments, directly into the send buffer, without a copy of the value. */
    private static void writeEntry(ByteBuf buffer, EncodedKey key, Envelope envelope, int epoch) {
        Resp.writeBulk(buffer, key.bytes());
        if (key.form() != StoredForm.ENVELOPED) {
            Resp.writeBulk(buffer, key.form().bytes(key, epoch, envelope));
            return;
        }
        Resp.writeBulkStart(buffer, envelope.sizeBytes());
        buffer.writeBytes(envelope.headerBytes(key, epoch));
        envelope.read((bytes, offset, length, isShared) -> buffer.writeBytes(bytes, offset, length));
        Resp.writeBulkEnd(buffer);
    }

    /** The arguments of a command that stores several entries, between others. They are encoded into the send buffer. */
    private static final class Entries extends CommandArgs<byte[], byte[]> {
        private static final int BYTES_AROUND = 32;

        private final List<Command.Put> puts;
        private final int epoch;
        private final List<byte[]> before;
        private final List<byte[]> behind;

        Entries(List<Command.Put> puts, int epoch, List<byte[]> before, List<byte[]> behind) {
            super(ByteArrayCodec.INSTANCE);
            this.puts = puts;
            this.epoch = epoch;
            this.before = before;
            this.behind = behind;
        }

        @Override
        public int count() {
            return before.size() + 2 * puts.size() + behind.size();
        }

        @Override
        public void encode(ByteBuf buffer) {
            buffer.ensureWritable(sizeBytes());
            before.forEach(argument -> Resp.writeBulk(buffer, argument));
            for (Command.Put put : puts) {
                writeEntry(buffer, put.key(), put.envelope(), epoch);
            }
            behind.forEach(argument -> Resp.writeBulk(buffer, argument));
        }

        private int sizeBytes() {
            int bytes = (before.size() + behind.size()) * BYTES_AROUND;
            for (Command.Put put : puts) {
                bytes += put.key().bytes().length + put.envelope().sizeBytes() + BYTES_AROUND;
            }
            return bytes;
        }
    }

    /** The options of {@code SET}, and the bytes of the command before the key and behind the value. */
    @SuppressWarnings("ArrayRecordComponent") // They are never compared.
    record SetOptions(List<byte[]> options, byte[] start, byte[] end) {
        private static final byte[] SET = {'S', 'E', 'T'};
        private static final int USUAL_BYTES = 32;

        static SetOptions of(List<byte[]> options) {
            ByteBuf start = Unpooled.buffer(USUAL_BYTES);
            Resp.writeStart(start, SET, 2 + options.size());
            ByteBuf end = Unpooled.buffer(USUAL_BYTES);
            options.forEach(option -> Resp.writeBulk(end, option));
            return new SetOptions(options, ByteBufUtil.getBytes(start), ByteBufUtil.getBytes(end));
        }
    }

    /** A {@code SET} of an entry; the options follow the value. */
    record EntrySet(EncodedKey key, Envelope envelope, int epoch, SetOptions options) {
        byte[][] arguments() {
            List<byte[]> behind = options.options();
            byte[][] arguments = new byte[2 + behind.size()][];
            arguments[0] = key.bytes();
            arguments[1] = key.form().bytes(key, epoch, envelope);
            for (int i = 0; i < behind.size(); i++) {
                arguments[2 + i] = behind.get(i);
            }
            return arguments;
        }

        void encode(ByteBuf buffer) {
            buffer.writeBytes(options.start());
            writeEntry(buffer, key, envelope, epoch);
            buffer.writeBytes(options.end());
        }
    }
}
