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
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Replies;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.partition.redis.wire.ScriptCalls;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.lettuce.core.output.CommandOutput;
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
record RedisGroups(
        CommandWriter writer,
        ScriptCalls scripts,
        Requests requests,
        Route route,
        EntryReader reader,
        EntryReads reads) {
    private static final Handlers<RedisGroups, GroupListing<?>, CompletableFuture<? extends Reply<?>>> LISTINGS =
            new Handlers<RedisGroups, GroupListing<?>, CompletableFuture<? extends Reply<?>>>()
                    .on(
                            GroupListing.Rows.class,
                            (self, rows) -> self.writer.isOfCluster() ? self.inTwoSteps(rows) : self.inOneStep(rows))
                    .on(GroupListing.Names.class, RedisGroups::names)
                    .on(
                            GroupListing.Forget.class,
                            (self, forget) -> self.ofNames(Script.FORGET, forget, forget.names()))
                    .on(
                            GroupListing.Relist.class,
                            (self, relist) -> self.ofNames(Script.RELIST, relist, relist.names()))
                    .on(GroupListing.Hold.class, (self, hold) -> self.count(Script.HOLD_INDEX, hold, List.of()))
                    .on(
                            GroupListing.Release.class,
                            (self, release) ->
                                    self.count(Script.RELEASE_INDEX, release, List.of(Requests.text(release.expiry()))))
                    .on(GroupListing.Expire.class, RedisGroups::expire)
                    .on(GroupListing.Aggregates.class, RedisGroups::aggregates)
                    .on(GroupListing.Weigh.class, RedisGroups::weigh);

    public CompletableFuture<Reply<GroupReply>> execute(GroupCommand command) {
        GroupRequest request = new GroupRequest(command, requests, reader::read);
        return writer.write(writer.script(request.call(), RespAnswers.nested(), route, request::read));
    }

    public CompletableFuture<? extends Reply<?>> execute(LockCommand<?> command) {
        EncodedKey key = command.home().lock();
        List<EncodedKey> keys = List.of(key, command.home().stamps());
        if (command instanceof LockCommand.Lock lock) {
            return scripts.count(ScriptCall.of(Script.LOCK, keys, requests.lock(lock)));
        }
        if (command instanceof LockCommand.RenewLock renew) {
            return scripts.send(ScriptCall.of(Script.RENEW_LOCK, key, requests.renewLock(renew)));
        }
        return scripts.send(ScriptCall.of(Script.UNLOCK, keys, requests.unlock((LockCommand.Unlock) command)));
    }

    public CompletableFuture<? extends Reply<?>> execute(GroupListing<?> command) {
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
        return reads.getAll(keys)
                .thenApply(reply -> reply.map(lookups -> IntStream.range(0, names.size())
                        .mapToObj(i -> new Row(names.get(i), keys.get(i), lookups.get(i)))
                        .toList()));
    }

    private CompletableFuture<Reply<List<Row>>> inOneStep(GroupListing.Rows listing) {
        List<byte[]> arguments = new ArrayList<>(List.of(tag(listing.home())));
        arguments.addAll(range(listing.span()));
        return evaluate(
                Script.ROWS,
                List.of(listing.home().index()),
                arguments,
                RespAnswers.nested(),
                answer -> rows(listing.home(), answer));
    }

    private List<Row> rows(GroupHome home, List<Object> answer) {
        List<?> names = (List<?>) answer.get(0);
        List<?> values = (List<?>) answer.get(1);
        return IntStream.range(0, names.size())
                .mapToObj(i -> row(home, RespAnswers.element(names.get(i)), values.get(i)))
                .toList();
    }

    private Row row(GroupHome home, Element name, @Nullable Object value) {
        EncodedKey key = home.keyOf(name);
        return new Row(name, key, reader.read(key, value == null ? null : RespAnswers.bytes(value)));
    }

    private CompletableFuture<Reply<List<Element>>> names(GroupListing.Names listing) {
        byte[][] arguments =
                Requests.key(listing.home().index(), range(listing.span()).toArray(new byte[0][]));
        return writer.write(command(
                CommandType.ZRANGE,
                RespAnswers.valueList(),
                listing.home().index(),
                arguments,
                values -> values.stream().map(Element::of).toList()));
    }

    private static List<byte[]> range(Span span) {
        byte[] from = before('[', span.from());
        byte[] to = before('(', span.to());
        List<byte[]> range = new ArrayList<>(span.isDescending() ? List.of(to, from) : List.of(from, to));
        range.add(Requests.text("BYLEX"));
        if (span.isDescending()) {
            range.add(Requests.text("REV"));
        }
        range.add(Requests.text("LIMIT"));
        range.add(Requests.text("0"));
        range.add(Requests.text(Integer.toString(span.limit())));
        return range;
    }

    private static byte[] before(char bracket, Element name) {
        byte[] bound = new byte[name.length() + 1];
        bound[0] = (byte) bracket;
        System.arraycopy(name.bytes(), 0, bound, 1, name.length());
        return bound;
    }

    private CompletableFuture<Reply<Long>> ofNames(Script script, GroupListing<Long> listing, List<Element> names) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(Reply.done(0L));
        }
        List<EncodedKey> keys = new ArrayList<>(List.of(listing.home().index()));
        List<byte[]> arguments = new ArrayList<>(2 * names.size());
        for (Element name : names) {
            EncodedKey key = listing.home().keyOf(name);
            keys.add(key);
            arguments.add(name.bytes());
            arguments.add(header(key));
        }
        return count(script, keys, arguments);
    }

    private CompletableFuture<Reply<Long>> expire(GroupListing.Expire listing) {
        List<EncodedKey> keys = new ArrayList<>(List.of(listing.home().index()));
        List<byte[]> arguments = new ArrayList<>(List.of(Requests.text(listing.expiry())));
        for (EncodedKey key : listing.keysOf(listing.names())) {
            keys.add(key);
            arguments.add(header(key));
        }
        return count(Script.EXPIRE_ALL, keys, arguments);
    }

    private CompletableFuture<Reply<Long>> count(Script script, GroupListing<Long> listing, List<byte[]> arguments) {
        return count(script, List.of(listing.home().index()), arguments);
    }

    private CompletableFuture<Reply<Long>> count(Script script, List<EncodedKey> keys, List<byte[]> arguments) {
        return scripts.count(ScriptCall.of(script, keys, arguments));
    }

    private byte[] header(EncodedKey key) {
        return requests.header(key, Command.ABSENT);
    }

    private CompletableFuture<Reply<List<AggregateDescription>>> aggregates(GroupListing.Aggregates listing) {
        EncodedKey stamps = listing.home().stamps();
        return writer.write(command(
                        CommandType.HGETALL, RespAnswers.valueList(), stamps, Requests.bare(stamps), this::living))
                .thenCompose(reply -> reply.then(names -> describe(listing.keysOf(names))));
    }

    /** Returns the names with a stamp of this epoch. Fields of other forms belong to no aggregate. */
    private List<Element> living(List<byte[]> namesAndStamps) {
        List<Element> living = new ArrayList<>();
        byte[] epoch = requests.epochBytes();
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
                .map(key -> command(
                        CommandType.TYPE, RespAnswers.status(), key, Requests.bare(key), Function.<String>identity()))
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
            numbers.add(command(CommandType.PTTL, RespAnswers.integer(), key, Requests.bare(key), Function.identity()));
            byte[][] usage = {Requests.text("USAGE"), key.bytes()};
            numbers.add(command(CommandType.MEMORY, RespAnswers.integer(), key, usage, RedisGroups::orZero));
        }
        return numbers;
    }

    private static <T, R> CompletableFuture<Reply<List<R>>> all(List<RoutedCommand<T, R>> commands) {
        return Replies.all(commands.stream().map(RoutedCommand::reply).toList()).thenApply(Replies::ofRead);
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
        return evaluate(
                Script.MEASURE_KEYS,
                List.of(home.index(), home.stamps(), EncodedKey.of(home.tag())),
                List.of(tag(home), Requests.text(Integer.toString(GroupListing.Weigh.SAMPLE))),
                RespAnswers.nested(),
                answer -> new GroupWeight(
                        RespAnswers.number(answer.get(0)),
                        RespAnswers.number(answer.get(1)),
                        RespAnswers.number(answer.get(2))));
    }

    private static byte[] tag(GroupHome home) {
        return Requests.text("{" + home.tag() + "}");
    }

    private <T, R> CompletableFuture<Reply<R>> evaluate(
            Script script,
            List<EncodedKey> keys,
            List<byte[]> arguments,
            CommandOutput<byte[], byte[], T> output,
            Function<T, R> decoder) {
        return writer.write(writer.script(ScriptCall.of(script, keys, arguments), output, route, decoder));
    }

    private <T, R> RoutedCommand<T, R> command(
            CommandType type,
            CommandOutput<byte[], byte[], T> output,
            EncodedKey key,
            byte[][] arguments,
            Function<T, R> decoder) {
        return writer.command(type, output, key, arguments, route, decoder);
    }
}
