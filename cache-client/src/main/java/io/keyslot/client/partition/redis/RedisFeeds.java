// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FeedCommand.Change;
import io.keyslot.client.partition.FeedCommand.Description;
import io.keyslot.client.partition.FeedCommand.Kind;
import io.keyslot.client.partition.FeedCommand.Origin;
import io.keyslot.client.partition.FeedCommand.Page;
import io.keyslot.client.partition.FeedCommand.Passing;
import io.keyslot.client.partition.FeedCommand.Position;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Feed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads the feeds of an instance, which are streams; {@code feed.lua} documents their form. Belongs to no slot. */
record RedisFeeds(RedisSession session, Epoch server, InternalKeys keys) {
    private static final List<Kind> KINDS = List.of(Kind.values());

    CompletableFuture<? extends Reply<?>> execute(FeedCommand<?> command) {
        if ((command instanceof FeedCommand.Attend || command instanceof FeedCommand.Read) && !server.isAtLeast(7)) {
            return CompletableFuture.completedFuture(
                    Reply.refused(Refusal.FORBIDDEN, "feeds need Redis 7.0 or later, or Valkey"));
        }
        if (command instanceof FeedCommand.Read read) {
            return read(read);
        }
        if (command instanceof FeedCommand.Attend attend) {
            return attend(attend);
        }
        if (command instanceof FeedCommand.Checkpoint set) {
            return session.send(ScriptCall.of(
                    Script.CHECKPOINT_FEED,
                    List.of(stream(set.feed()), readers(set.feed(), set.group())),
                    set.group(),
                    set.token(),
                    set.position().id(),
                    set.position().count()));
        }
        if (command instanceof FeedCommand.HasPassed asked) {
            return session.count(ScriptCall.of(
                            Script.HAS_PASSED_FEED,
                            List.of(InternalKeys.feed(
                                    asked.feed().name(), asked.origin().epoch())),
                            asked.group(),
                            asked.origin().lastId()))
                    .thenApply(reply -> reply.map(
                            state -> state == 1 ? Passing.PASSED : state == 0 ? Passing.PENDING : Passing.LOST));
        }
        if (command instanceof FeedCommand.AppendArrival arrival) {
            return append(arrival);
        }
        if (command instanceof FeedCommand.Erase erase) {
            EncodedKey stream = InternalKeys.feed(erase.name(), session.epoch());
            return session.send(
                    ScriptCall.of(
                            Script.ERASE_FROM_FEED,
                            List.of(stream),
                            erase.after(),
                            erase.key(),
                            FeedCommand.MOST_ERASED_AT_ONCE),
                    answer -> new FeedCommand.Erased(Resp.number(answer.get(0)), text(answer.get(1))));
        }
        List<String> around = InternalKeys.aroundFeeds(session.epoch());
        return command instanceof FeedCommand.ReadEnds
                ? session.send(
                        ScriptCall.of(Script.FEED_ENDS, keys.feeds(), around.get(0), around.get(1)),
                        answer -> new FeedCommand.Ends(session.epoch(), ends(answer)))
                : session.send(
                        ScriptCall.of(Script.DESCRIBE_FEEDS, keys.feeds(), around),
                        answer -> answer.stream().map(RedisFeeds::description).toList());
    }

    private EncodedKey stream(Feed feed) {
        return InternalKeys.feed(feed.name(), session.epoch());
    }

    private EncodedKey readers(Feed feed, String group) {
        return InternalKeys.readers(feed.name(), session.epoch(), group);
    }

    private CompletableFuture<Reply<FeedCommand.Attendance>> attend(FeedCommand.Attend attend) {
        return session.send(
                ScriptCall.of(
                        Script.ATTEND_FEED,
                        List.of(readers(attend.feed(), attend.group()), keys.feeds(), stream(attend.feed())),
                        attend.member(),
                        attend.turn(),
                        FeedCommand.LEASE.toMillis(),
                        attend.intent().name().toLowerCase(Locale.ROOT),
                        attend.feed().name(),
                        FeedCommand.REGISTERED.toMillis(),
                        attend.feed().keepMillis()),
                answer -> new FeedCommand.Attendance(Resp.number(answer.get(0)), Resp.number(answer.get(1)) == 1));
    }

    private CompletableFuture<Reply<Page>> read(FeedCommand.Read read) {
        Position after = read.after();
        boolean isOfGroup = read.token() != FeedCommand.WITHOUT_GROUP;
        return session.send(
                ScriptCall.of(
                        isOfGroup ? Script.READ_FEED : Script.FOLLOW_FEED,
                        List.of(stream(read.feed()), isOfGroup ? readers(read.feed(), read.group()) : keys.feeds()),
                        isOfGroup ? read.group() : read.feed().name(),
                        isOfGroup ? read.token() : FeedCommand.REGISTERED.toMillis(),
                        read.feed().keepMillis(),
                        FeedCommand.MOST_CHANGES,
                        FeedCommand.MOST_BYTES,
                        read.isFromLatest() ? "latest" : "earliest",
                        after == null ? "" : after.id(),
                        after == null ? 0 : after.count()),
                this::page);
    }

    private Page page(List<Object> answer) {
        if (Resp.number(answer.get(0)) == 0) {
            return Page.NOT_HELD;
        }
        long count = Resp.number(answer.get(3));
        long size = Resp.number(answer.get(5));
        List<Change> changes = new ArrayList<>();
        for (int i = 6; i < answer.size(); i += 3) {
            count++;
            Position at = new Position(text(answer.get(i)), count);
            changes.add(change(at, Resp.bytes(answer.get(i + 1)), Resp.bytes(answer.get(i + 2))));
        }
        Position end = changes.isEmpty()
                ? new Position(text(answer.get(4)), size)
                : changes.get(changes.size() - 1).at();
        return new Page(true, Resp.number(answer.get(1)) == 1, changes, end, size);
    }

    private Change change(Position at, byte[] kindAndKey, byte[] value) {
        Kind kind = KINDS.stream()
                .filter(each -> each.letter() == kindAndKey[0])
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a change of a feed has an unknown kind"));
        EncodedKey key = new EncodedKey(Arrays.copyOfRange(kindAndKey, 1, kindAndKey.length));
        if (kind == Kind.ARRIVAL) {
            String[] words = Resp.text(value).split(" ", -1);
            Origin origin = new Origin(key.text(), (int) Long.parseLong(words[0], 16), words[1]);
            return new Change(at, kind, key, 0, null, origin);
        }
        if (value.length == Long.BYTES) {
            return new Change(at, kind, key, ByteBuffer.wrap(value).getLong(), null, null);
        }
        Envelope envelope = session.read(key, value).envelope(); // null if a newer client has stored it
        return new Change(at, kind, key, envelope == null ? 0 : envelope.stamp(), envelope, null);
    }

    private CompletableFuture<Reply<Boolean>> append(FeedCommand.AppendArrival arrival) {
        List<Object> words = new ArrayList<>();
        words.add(FeedCommand.REGISTERED.toMillis());
        words.add(Kind.ARRIVAL.letter() + arrival.source());
        for (FeedCommand.End end : arrival.ends().all()) {
            words.add(InternalKeys.feed(end.name(), session.epoch()));
            words.add("%08x %s".formatted(arrival.ends().epoch(), end.lastId()));
        }
        return session.send(ScriptCall.of(Script.APPEND_ARRIVAL, keys.feeds(), words));
    }

    private static List<FeedCommand.End> ends(List<Object> answer) {
        List<FeedCommand.End> ends = new ArrayList<>();
        for (int i = 0; i < answer.size(); i += 2) {
            ends.add(new FeedCommand.End(text(answer.get(i)), text(answer.get(i + 1))));
        }
        return ends;
    }

    private static Description description(Object answer) {
        List<?> words = (List<?>) answer;
        List<FeedCommand.GroupState> groups = new ArrayList<>();
        for (int i = 2; i < words.size(); i += 3) {
            groups.add(new FeedCommand.GroupState(
                    text(words.get(i)), Resp.number(words.get(i + 1)), text(words.get(i + 2))));
        }
        return new Description(text(words.get(0)), Resp.number(words.get(1)), groups);
    }

    private static String text(@Nullable Object answer) {
        return Resp.text(Resp.bytes(answer));
    }
}
