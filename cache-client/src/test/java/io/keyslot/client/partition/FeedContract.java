// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command.CompareAndRemove;
import io.keyslot.client.partition.Command.CompareAndSet;
import io.keyslot.client.partition.Command.GetAndRemove;
import io.keyslot.client.partition.Command.Lease;
import io.keyslot.client.partition.Command.Put;
import io.keyslot.client.partition.Command.PutAll;
import io.keyslot.client.partition.Command.RemoveAll;
import io.keyslot.client.partition.Command.Reserve;
import io.keyslot.client.partition.FeedCommand.AppendArrival;
import io.keyslot.client.partition.FeedCommand.Attend;
import io.keyslot.client.partition.FeedCommand.Attendance;
import io.keyslot.client.partition.FeedCommand.Change;
import io.keyslot.client.partition.FeedCommand.Checkpoint;
import io.keyslot.client.partition.FeedCommand.Ends;
import io.keyslot.client.partition.FeedCommand.HasPassed;
import io.keyslot.client.partition.FeedCommand.Intent;
import io.keyslot.client.partition.FeedCommand.Kind;
import io.keyslot.client.partition.FeedCommand.Origin;
import io.keyslot.client.partition.FeedCommand.Page;
import io.keyslot.client.partition.FeedCommand.Passing;
import io.keyslot.client.partition.FeedCommand.Position;
import io.keyslot.client.partition.FeedCommand.Read;
import io.keyslot.client.partition.FeedCommand.ReadEnds;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.stored.GroupHome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every engine appends to a feed, and how groups read it. Each test has a feed of its own. */
public abstract class FeedContract {
    private static final AtomicLong SEQUENCE = new AtomicLong();
    private static final Expiry MINUTE = Expiry.afterMillis(60_000);
    private static final int HOUR_MILLIS = 3_600_000;

    private final String type = "feed" + SEQUENCE.incrementAndGet();
    private final Feed feed = new Feed(Feed.nameOf("", type), HOUR_MILLIS, 100_000, true);

    protected abstract PartitionConnection connection();

    /** Returns after a lease has ended for the partition. */
    protected abstract void passLease();

    private <R> R done(Command<R> command) {
        Reply<R> reply = connection()
                .send(command, Route.plain(1), Patience.UNLIMITED)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw new AssertionError("Not done, but " + reply);
    }

    private static long stamp() {
        return 0x4665_6564_0000_0000L + SEQUENCE.incrementAndGet();
    }

    private static Envelope envelope(String text) {
        return Envelope.of(stamp(), text.getBytes(StandardCharsets.UTF_8));
    }

    private EncodedKey key(String id) {
        return EncodedKey.of(type + ":" + id).in(feed);
    }

    private EncodedKey member(String id) {
        return EncodedKey.of(type + ":{root:" + type + "}:" + id).in(feed);
    }

    private Envelope put(EncodedKey key, String text) {
        Envelope envelope = envelope(text);
        assertThat(done(new Put(key, envelope, Expiry.NEVER, Expiry.NEVER))).isTrue();
        return envelope;
    }

    private Attendance attend(String member, Intent intent) {
        return done(new Attend(feed, "search", member, 0, intent));
    }

    private long lead() {
        long token = attend("reader", Intent.STAY).token();
        assertThat(token).isPositive();
        return token;
    }

    private Page read(Feed by, long token, @Nullable Position after) {
        Page page = done(new Read(by, "search", token, after, false));
        assertThat(page.isHeld()).isTrue();
        return page;
    }

    private List<String> described(Page page) {
        return page.changes().stream().map(this::describe).toList();
    }

    private String describe(Change change) {
        String key = change.key().text().replace(type, "");
        Envelope envelope = change.envelope();
        if (envelope == null) {
            return change.kind() + " " + key;
        }
        byte[] payload = new byte[envelope.payload().remaining()];
        envelope.payload().get(payload);
        return "%s %s %s".formatted(change.kind(), key, new String(payload, StandardCharsets.UTF_8));
    }

    /** Each kind of write that changes an entry is appended, in the order of the writes; nothing else is. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void writes_areAppendedInOrder(boolean areIndexed) {
        EncodedKey a = areIndexed ? member("a").indexed() : key("a");
        EncodedKey b = areIndexed ? member("b").indexed() : key("b");
        String name = areIndexed ? ":{root:}:" : ":";
        long token = lead();

        put(a, "1");
        assertThat(done(new Put(a, envelope("2"), MINUTE, Expiry.UNCHANGED))).isTrue();
        done(new PutAll(List.of(
                new Put(a, envelope("3"), Expiry.NEVER, Expiry.UNCHANGED),
                new Put(b, envelope("4"), Expiry.NEVER, Expiry.UNCHANGED))));
        Envelope five = envelope("5");
        assertThat(done(new CompareAndSet(a, stamp(), five, MINUTE))).isFalse();
        assertThat(done(new CompareAndRemove(a, stamp()))).isFalse();
        assertThat(done(new RemoveAll(List.of(a, b)))).isEqualTo(2);
        assertThat(done(new RemoveAll(List.of(a, b)))).isZero();
        long lease = stamp();
        done(new Lease(a, lease, MINUTE));
        assertThat(done(new CompareAndSet(a, lease, five, MINUTE))).isTrue();
        done(new Command.CompareAndExpire(a, five.stamp(), Expiry.NEVER));
        long reservation = stamp();
        done(new Reserve(a, five.stamp(), reservation, 10_000));
        done(new Command.GiveBack(a, reservation, five.stamp(), Expiry.NEVER));
        assertThat(done(new CompareAndRemove(a, five.stamp()))).isTrue();
        Envelope six = put(a, "6");
        assertThat(done(new GetAndRemove(a)).stamp()).isEqualTo(six.stamp());
        assertThat(done(new GetAndRemove(a)).isFound()).isFalse();

        Page page = read(feed, token, null);
        assertThat(described(page))
                .containsExactly(
                        "PUT " + name + "a 1",
                        "PUT " + name + "a 2",
                        "PUT " + name + "a 3",
                        "PUT " + name + "b 4",
                        "REMOVE " + name + "a",
                        "REMOVE " + name + "b",
                        "PUT " + name + "a 5",
                        "REMOVE " + name + "a",
                        "PUT " + name + "a 6",
                        "REMOVE " + name + "a");
        assertThat(page.changes().get(9).stamp()).isEqualTo(six.stamp());
        assertThat(page.size()).isEqualTo(10);
    }

    /** Readers hear of the removal; the changes of others stay, and no change that was not erased is a gap. */
    @Test
    void erasedKey_leavesNoValue() {
        long token = lead();
        for (int i = 0; i < 150; i++) {
            put(key("a"), "1");
        }
        put(key("b"), "2");
        Position before = read(feed, token, null).end();
        assertThat(done(new Checkpoint(feed, "search", token, before))).isTrue();
        put(EncodedKey.of(type + "x:{" + key("a").text() + "}").in(feed), "of the group");
        put(key("ab"), "3");
        done(new RemoveAll(List.of(key("a"))));

        long removed = 0;
        String next = FeedCommand.START;
        while (!next.isEmpty()) {
            FeedCommand.Erased part = done(new FeedCommand.Erase(feed.name(), next, key("a").text()));
            removed += part.removed();
            next = part.next();
        }

        assertThat(removed).isEqualTo(151);
        Page rest = read(feed, token, null);
        assertThat(described(rest)).containsExactly("PUT :ab 3", "REMOVE :a");
        assertThat(rest.isGap()).isFalse();
        assertThat(done(new Read(feed, "other", other(), null, false)).changes().stream()
                        .map(this::describe))
                .containsExactly("PUT :b 2", "PUT :ab 3", "REMOVE :a");
    }

    private long other() {
        return done(new Attend(feed, "other", "reader", 0, Intent.STAY)).token();
    }

    @Test
    void negative_isAppendedAsARemoval() {
        Envelope entry = put(key("a"), "1");
        assertThat(done(new CompareAndSet(key("a"), entry.stamp(), Envelope.negative(stamp()), MINUTE)))
                .isTrue();

        assertThat(described(read(feed, lead(), null))).containsExactly("PUT :a 1", "REMOVE :a");
    }

    @Test
    void groupCommand_isAppendedToTheFeedsOfItsMembers_ifItIsDone() {
        GroupHome home = GroupHome.of(member("a"));
        EncodedKey list = EncodedKey.of("list" + type + ":{root:" + type + "}").in(feed);
        EncodedKey unfed = EncodedKey.of("other" + type + ":{root:" + type + "}:1");
        put(member("old"), "0");
        long stamp = stamp();
        List<GroupStep> steps = List.of(
                putStep(member("a").indexed(), stamp, "1"),
                putStep(unfed, stamp, "2"),
                putStep(member("b").indexed(), stamp, "3"),
                new GroupStep.RemoveEntry(member("old")),
                new GroupStep.Apply(
                        list, AggregateOperation.LIST_ADD_LAST, List.of(Element.of("one")), Expiry.UNCHANGED),
                new GroupStep.Apply(
                        list, AggregateOperation.LIST_ADD_LAST, List.of(Element.of("two")), Expiry.UNCHANGED));
        GroupCommand refused =
                new GroupCommand(home, 0, List.of(new GroupCommand.Expected(member("a"), null, stamp())), steps, stamp);
        assertThat(done(refused)).isInstanceOf(GroupReply.Conflict.class);
        GroupCommand applied = new GroupCommand(
                home, 0, List.of(new GroupCommand.Expected(member("a"), null, Command.ABSENT)), steps, stamp);
        assertThat(done(applied)).isInstanceOf(GroupReply.Applied.class);

        Page page = read(feed, lead(), null);
        assertThat(described(page))
                .containsExactlyInAnyOrder(
                        "PUT :{root:}:old 0",
                        "PUT :{root:}:a 1",
                        "PUT :{root:}:b 3",
                        "REMOVE :{root:}:old",
                        "GROUP root:");
        assertThat(page.changes().subList(1, 5)).allMatch(change -> change.stamp() == stamp);
        assertThat(done(new Command.Get(member("b"))).isFound()).isTrue();
        assertThat(done(new Command.Get(unfed)).isFound()).isTrue();
        assertThat(done(new Command.Get(member("old"))).isFound()).isFalse();
    }

    private static GroupStep putStep(EncodedKey key, long stamp, String text) {
        return new GroupStep.PutEntry(
                key, Envelope.of(stamp, text.getBytes(StandardCharsets.UTF_8)), Expiry.NEVER, Expiry.NEVER);
    }

    @Test
    void feedWithoutValues_hasStamps() {
        Feed bare = new Feed(feed.name(), HOUR_MILLIS, 1_000, false);
        Envelope entry = put(key("a").in(bare), "1");

        Change change = read(bare, lead(), null).changes().get(0);
        assertThat(change.envelope()).isNull();
        assertThat(change.stamp()).isEqualTo(entry.stamp());
        assertThat(change.kind()).isEqualTo(Kind.PUT);
    }

    @Test
    void groupContinuesAfterItsCheckpoint_andANewOneBeginsWithAGap() {
        put(key("a"), "1");
        long token = lead();
        Page first = read(feed, token, null);
        Page again = read(feed, token, null);
        put(key("a"), "2");
        Page second = read(feed, token, first.end());
        assertThat(done(new Checkpoint(feed, "search", token, first.end()))).isTrue();

        assertThat(first.isGap()).isTrue();
        assertThat(again.isGap()).as("until the first checkpoint").isTrue();
        assertThat(second.isGap()).isFalse();
        assertThat(described(second)).containsExactly("PUT :a 2");
        assertThat(second.end().count()).isEqualTo(2);
        assertThat(described(read(feed, token, null))).containsExactly("PUT :a 2");
        assertThat(read(feed, token, null).isGap()).isFalse();
        assertThat(read(feed, token, second.end()).changes()).isEmpty();
        assertThat(read(feed, token, second.end()).end()).isEqualTo(second.end());
    }

    @Test
    void groupFromTheLatest_getsOnlyLaterChanges() {
        put(key("a"), "1");
        long token = lead();
        Page first = done(new Read(feed, "search", token, null, true));
        put(key("a"), "2");

        assertThat(first.changes()).isEmpty();
        assertThat(described(read(feed, token, first.end()))).containsExactly("PUT :a 2");
    }

    @Test
    void removedChanges_areAGap() {
        Feed small = new Feed(feed.name(), HOUR_MILLIS, 100, true);
        long token = lead();
        Page start = read(small, token, null);
        IntStream.range(0, 1_000).forEach(i -> put(key("a").in(small), "" + i));

        Page page = read(small, token, start.end());
        assertThat(page.isGap()).isTrue();
        assertThat(page.changes()).hasSizeBetween(100, 300);
        assertThat(page.end().count()).isEqualTo(1_000);
        put(key("a").in(small), "last");
        Page next = read(small, token, page.end());
        assertThat(next.isGap()).isFalse();
        assertThat(next.changes()).hasSize(1);
    }

    /** Its feed may be new or not, and is among those that are read. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void readerWithoutAGroup_getsWhatFollowsItsPosition(boolean isNew) {
        Feed small = new Feed(feed.name(), HOUR_MILLIS, 100, true);
        if (!isNew) {
            put(key("a"), "1");
        }
        Page start = follow(small, null);
        put(key("a"), "2");
        put(key("a"), "3");
        Page next = follow(small, start.end());
        Page last = follow(small, next.end());

        assertThat(start.changes()).isEmpty();
        assertThat(start.isGap()).isFalse();
        assertThat(described(next)).containsExactly("PUT :a 2", "PUT :a 3");
        assertThat(next.isGap()).isFalse();
        assertThat(next.end().count()).isEqualTo(start.end().count() + 2);
        assertThat(last).isEqualTo(new Page(true, false, List.of(), next.end(), next.size()));
        assertThat(next.end().isAtOrAfter(start.end().id())).isTrue();
        assertThat(start.end().isAtOrAfter(next.end().id())).isFalse();
        assertThat(done(new ReadEnds()).all())
                .contains(new FeedCommand.End(feed.name(), next.end().id()));
        assertThat(done(new FeedCommand.Describe()).stream()
                        .filter(each -> each.name().equals(feed.name())))
                .allMatch(each -> each.groups().isEmpty());

        IntStream.range(0, 1_000).forEach(i -> put(key("a").in(small), "" + i));
        Page behind = follow(small, next.end());
        assertThat(behind.isGap()).isTrue();
        assertThat(behind.changes()).hasSizeBetween(100, 300);
        assertThat(follow(small, behind.end()).isGap()).isFalse();
    }

    private Page follow(Feed by, @Nullable Position after) {
        return done(new Read(by, "", FeedCommand.WITHOUT_GROUP, after, true));
    }

    @Test
    void pages_areBoundedInChangesAndBytes() {
        long token = lead();
        Position after = read(feed, token, null).end();
        Random random = new Random(7);
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            int size = random.nextInt(50) == 0 ? 300_000 : random.nextInt(3_000);
            sizes.add(size);
            put(key("a"), "x".repeat(size));
        }

        List<Integer> found = new ArrayList<>();
        for (Page page = read(feed, token, after); !page.changes().isEmpty(); page = read(feed, token, page.end())) {
            List<Integer> some = page.changes().stream()
                    .map(change ->
                            Objects.requireNonNull(change.envelope()).payload().remaining())
                    .toList();
            assertThat(some).hasSizeLessThanOrEqualTo(FeedCommand.MOST_CHANGES);
            // The last request of an engine may have some large changes more than it expected.
            assertThat(some.stream().mapToInt(size -> size).sum()).isLessThan(8 * FeedCommand.MOST_BYTES);
            found.addAll(some);
        }
        assertThat(found).isEqualTo(sizes);
    }

    @Test
    void lease_isHeldByOneMember_andItsTokensIncrease() {
        long first = attend("a", Intent.STAY).token();
        assertThat(attend("b", Intent.STAY)).isEqualTo(new Attendance(0, false));
        assertThat(attend("a", Intent.YIELD).token()).isEqualTo(first); // its own turn
        assertThat(read(feed, first, null).isHeld()).isTrue();

        assertThat(attend("a", Intent.LEAVE).token()).isZero();
        long second = attend("b", Intent.STAY).token();
        assertThat(second).isGreaterThan(first);
        assertThat(done(new Read(feed, "search", first, null, false)).isHeld()).isFalse();
        assertThat(done(new Checkpoint(feed, "search", first, new Position("0-0", 0))))
                .isFalse();

        attend("a", Intent.STAY);
        assertThat(attend("b", Intent.STAY)).isEqualTo(new Attendance(second, false));
        assertThat(attend("b", Intent.YIELD).token()).isZero();
        long third = attend("a", Intent.STAY).token();
        assertThat(third).isGreaterThan(second);

        passLease();
        assertThat(attend("b", Intent.STAY).token()).isGreaterThan(third);
    }

    @Test
    void arrival_waitsForThePositionOfTheGroupAtTheSource() {
        put(key("a"), "1");
        long token = lead();
        Page page = read(feed, token, null);
        Ends ends = done(new ReadEnds());
        assertThat(ends.all())
                .contains(new FeedCommand.End(feed.name(), page.end().id()));
        Origin origin = new Origin("p0", ends.epoch(), page.end().id());

        assertThat(done(new HasPassed(feed, "search", origin))).isEqualTo(Passing.PENDING);
        assertThat(done(new HasPassed(feed, "unknown", origin))).isEqualTo(Passing.LOST);
        assertThat(done(new HasPassed(feed, "search", new Origin("p0", ends.epoch() + 1, origin.lastId()))))
                .isEqualTo(Passing.LOST);
        done(new Checkpoint(feed, "search", token, page.end()));
        assertThat(done(new HasPassed(feed, "search", origin))).isEqualTo(Passing.PASSED);

        assertThat(done(new AppendArrival(
                        "p0", new Ends(ends.epoch(), List.of(new FeedCommand.End(feed.name(), origin.lastId()))))))
                .isTrue();
        Change arrival = read(feed, token, page.end()).changes().get(0);
        assertThat(arrival.kind()).isEqualTo(Kind.ARRIVAL);
        assertThat(arrival.origin()).isEqualTo(origin);
    }

    @Test
    void description_hasLengthLagAndHolder() {
        put(key("a"), "1");
        put(key("b"), "2");
        long token = lead();
        Page page = read(feed, token, null);
        done(new Checkpoint(feed, "search", token, page.changes().get(0).at()));

        assertThat(done(new FeedCommand.Describe()))
                .contains(new FeedCommand.Description(
                        feed.name(), 2, List.of(new FeedCommand.GroupState("search", 1, "reader"))));
    }
}
