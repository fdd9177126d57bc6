// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupListing.AggregateDescription;
import io.keyslot.client.partition.GroupListing.GroupWeight;
import io.keyslot.client.partition.GroupListing.Row;
import io.keyslot.client.partition.GroupListing.Span;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.Handlers;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The commands on members, indexes and locks of groups, with one native command or script each. */
record RedisGroups(RedisSession session, CommandWriter writer, RedisEntries entries) {
    private static final Handlers<RedisGroups, GroupListing<?>, CompletableFuture<? extends Reply<?>>> LISTINGS =
            new Handlers<RedisGroups, GroupListing<?>, CompletableFuture<? extends Reply<?>>>()
                    .on(
                            GroupListing.Rows.class,
                            (self, rows) -> self.writer.isOneSlot() ? self.inTwoSteps(rows) : self.inOneStep(rows))
                    .on(GroupListing.Names.class, RedisGroups::names)
                    .on(
                            GroupListing.Forget.class,
                            (self, forget) -> self.ofNames(Script.FORGET, forget, forget.names()))
                    .on(GroupListing.Aggregates.class, RedisGroups::aggregates)
                    .on(GroupListing.Weigh.class, RedisGroups::weigh);

    CompletableFuture<Reply<GroupReply>> execute(GroupCommand command) {
        GroupRequest request = new GroupRequest(command, session);
        return session.send(request.call(), request::read);
    }

    CompletableFuture<? extends Reply<?>> execute(LockCommand<?> command) {
        EncodedKey key = command.home().lock();
        List<EncodedKey> keys = List.of(key, command.home().stamps());
        if (command instanceof LockCommand.Lock lock) {
            return session.count(
                    ScriptCall.of(Script.LOCK, keys, session.epochBytes(), Resp.binary(lock.holder()), lock.lease()));
        }
        if (command instanceof LockCommand.RenewLock renew) {
            return session.send(ScriptCall.of(Script.RENEW_LOCK, key, session.lockBytes(renew.token()), renew.lease()));
        }
        long holder = ((LockCommand.Unlock) command).holder();
        return session.send(ScriptCall.of(Script.UNLOCK, keys, session.epochBytes(), Resp.binary(holder)));
    }

    CompletableFuture<? extends Reply<?>> execute(GroupListing<?> command) {
        return LISTINGS.answer(this, command);
    }

    /** In two steps, because a node may have the index and not the rows, and decides by the keys of the command. */
    private CompletableFuture<Reply<List<Row>>> inTwoSteps(GroupListing.Rows listing) {
        return names(new GroupListing.Names(listing.home(), listing.span()))
                .thenCompose(reply -> reply.then(names -> ofNames(listing.home(), names)));
    }

    private CompletableFuture<Reply<List<Row>>> ofNames(GroupHome home, List<Element> names) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(Reply.done(List.of()));
        }
        List<EncodedKey> keys = names.stream().map(home::keyOf).toList();
        return entries.getAll(keys)
                .thenApply(reply -> reply.map(lookups -> IntStream.range(0, names.size())
                        .mapToObj(i -> new Row(names.get(i), keys.get(i), lookups.get(i)))
                        .toList()));
    }

    private CompletableFuture<Reply<List<Row>>> inOneStep(GroupListing.Rows listing) {
        GroupHome home = listing.home();
        return session.send(
                ScriptCall.of(Script.ROWS, List.of(home.index()), tag(home), range(listing.span())),
                answer -> rows(home, answer));
    }

    private List<Row> rows(GroupHome home, List<Object> answer) {
        List<?> names = (List<?>) answer.get(0);
        List<?> values = (List<?>) answer.get(1);
        return IntStream.range(0, names.size())
                .mapToObj(i -> {
                    Element name = Resp.element(names.get(i));
                    EncodedKey key = home.keyOf(name);
                    return new Row(name, key, session.readAnswer(key, values.get(i)));
                })
                .toList();
    }

    private CompletableFuture<Reply<List<Element>>> names(GroupListing.Names listing) {
        EncodedKey index = listing.home().index();
        return writer.write(session.onKey(
                CommandType.ZRANGE,
                Resp.valueList(),
                index,
                Resp.arguments(index, range(listing.span())),
                values -> values.stream().map(Element::of).toList()));
    }

    private static List<byte[]> range(Span span) {
        Element from = NativeOperation.marked('[', span.from());
        Element to = NativeOperation.marked('(', span.to());
        return span.isDescending()
                ? Resp.words(to, from, "BYLEX", "REV", "LIMIT", 0, span.limit())
                : Resp.words(from, to, "BYLEX", "LIMIT", 0, span.limit());
    }

    private CompletableFuture<Reply<Long>> ofNames(Script script, GroupListing<Long> listing, List<Element> names) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(Reply.done(0L));
        }
        List<EncodedKey> keys = new ArrayList<>(List.of(listing.home().index()));
        List<byte[]> words = new ArrayList<>(2 * names.size());
        for (Element name : names) {
            EncodedKey key = listing.home().keyOf(name);
            keys.add(key);
            words.add(name.bytes());
            words.add(session.header(key, Command.ABSENT));
        }
        return session.count(ScriptCall.of(script, keys, words));
    }

    private CompletableFuture<Reply<List<AggregateDescription>>> aggregates(GroupListing.Aggregates listing) {
        EncodedKey stamps = listing.home().stamps();
        return writer.write(session.onKey(CommandType.HGETALL, Resp.valueList(), stamps, this::living))
                .thenCompose(reply -> reply.then(names -> describe(listing.keysOf(names))));
    }

    /** Returns the names with a stamp of this epoch. Fields of other forms belong to no aggregate. */
    private List<Element> living(List<byte[]> namesAndStamps) {
        List<Element> living = new ArrayList<>();
        byte[] epoch = session.epochBytes();
        for (int i = 0; i < namesAndStamps.size(); i += 2) {
            byte[] stamp = namesAndStamps.get(i + 1);
            String name = new String(namesAndStamps.get(i), StandardCharsets.UTF_8);
            boolean isStamp = stamp.length == Integer.BYTES + Long.BYTES && (name.isEmpty() || name.indexOf(':') >= 0);
            if (isStamp && Arrays.equals(epoch, Arrays.copyOf(stamp, Integer.BYTES))) {
                living.add(Element.of(namesAndStamps.get(i)));
            }
        }
        return living;
    }

    private CompletableFuture<Reply<List<AggregateDescription>>> describe(List<EncodedKey> keys) {
        List<RoutedCommand<String, String>> types = keys.stream()
                .map(key -> session.onKey(CommandType.TYPE, Resp.status(), key, Function.<String>identity()))
                .toList();
        List<RoutedCommand<Long, Long>> numbers = timesAndSizes(keys);
        writer.writeAll(types);
        writer.writeAll(numbers);
        return all(types)
                .thenCompose(kinds ->
                        kinds.then(found -> all(numbers).thenApply(known -> described(keys, found, known))));
    }

    private List<RoutedCommand<Long, Long>> timesAndSizes(List<EncodedKey> keys) {
        List<RoutedCommand<Long, Long>> numbers = new ArrayList<>();
        for (EncodedKey key : keys) {
            numbers.add(session.onKey(CommandType.PTTL, Resp.integer(), key, Function.identity()));
            byte[][] usage = Resp.arguments("USAGE", key);
            numbers.add(session.onKey(CommandType.MEMORY, Resp.integer(), key, usage, RedisGroups::orZero));
        }
        return numbers;
    }

    private static <T, R> CompletableFuture<Reply<List<R>>> all(List<RoutedCommand<T, R>> commands) {
        return RedisSession.replies(commands).thenApply(RedisSession::ofRead);
    }

    private static Reply<List<AggregateDescription>> described(
            List<EncodedKey> keys, List<String> types, Reply<List<Long>> numbers) {
        return numbers.map(known -> {
            List<AggregateDescription> descriptions = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                EncodedKey key = keys.get(i);
                long millis = known.get(2 * i);
                long bytes = known.get(2 * i + 1);
                kindOf(types.get(i))
                        .ifPresent(kind -> descriptions.add(new AggregateDescription(key, kind, bytes, millis)));
            }
            return descriptions;
        });
    }

    private static Optional<AggregateKind> kindOf(String type) {
        return Arrays.stream(AggregateKind.values())
                .filter(kind -> kind.typeName().equals(type))
                .findFirst();
    }

    private static long orZero(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    private CompletableFuture<Reply<GroupWeight>> weigh(GroupListing.Weigh listing) {
        GroupHome home = listing.home();
        return session.send(
                ScriptCall.of(
                        Script.MEASURE_KEYS,
                        List.of(home.index(), home.stamps(), EncodedKey.of(home.tag())),
                        tag(home),
                        GroupListing.Weigh.SAMPLE),
                answer -> new GroupWeight(
                        Resp.number(answer.get(0)), Resp.number(answer.get(1)), Resp.number(answer.get(2))));
    }

    private static String tag(GroupHome home) {
        return "{" + home.tag() + "}";
    }
}
