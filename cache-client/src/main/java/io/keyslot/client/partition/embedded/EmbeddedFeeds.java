// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FeedCommand.Attendance;
import io.keyslot.client.partition.FeedCommand.Change;
import io.keyslot.client.partition.FeedCommand.Intent;
import io.keyslot.client.partition.FeedCommand.Kind;
import io.keyslot.client.partition.FeedCommand.Origin;
import io.keyslot.client.partition.FeedCommand.Page;
import io.keyslot.client.partition.FeedCommand.Passing;
import io.keyslot.client.partition.FeedCommand.Position;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Feed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The feeds of one incarnation of a partition. Thread-safe. A change is appended with the lock of its slot held; the id of
 * a position is the epoch, and the number of changes up to there.
 */
final class EmbeddedFeeds {
    private static final EncodedKey NO_KEY = EncodedKey.of("");

    private final LongSupplier nanoTime;
    private final Map<String, Appended> feeds = new ConcurrentHashMap<>();
    private volatile int epoch;

    EmbeddedFeeds(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Begins the incarnation. */
    void begin(int present) {
        epoch = present;
    }

    private Position position(long count) {
        return new Position("%d-%d".formatted(epoch, count), count);
    }

    /** Appends a change of an entry, if its key has a feed; a negative replaces an entry like a removal. */
    void append(EncodedKey key, Kind kind, long stamp, @Nullable Envelope envelope) {
        Feed feed = key.feed();
        if (feed != null) {
            boolean isRemoval = envelope != null && !envelope.isEntry();
            of(feed.name()).append(feed, isRemoval ? Kind.REMOVE : kind, key, stamp, isRemoval ? null : envelope);
        }
    }

    private Appended of(String name) {
        return feeds.computeIfAbsent(name, first -> new Appended());
    }

    Object execute(FeedCommand<?> command) {
        if (command instanceof FeedCommand.Read read) {
            return of(read.feed().name()).read(read);
        }
        if (command instanceof FeedCommand.Attend attend) {
            return of(attend.feed().name()).attend(attend);
        }
        if (command instanceof FeedCommand.Erase erase) {
            return of(erase.name()).erase(erase.key());
        }
        if (command instanceof FeedCommand.Checkpoint set) {
            return of(set.feed().name()).checkpoint(set);
        }
        if (command instanceof FeedCommand.HasPassed asked) {
            return asked.origin().epoch() == epoch ? of(asked.feed().name()).hasPassed(asked) : Passing.LOST;
        }
        if (command instanceof FeedCommand.AppendArrival arrival) {
            FeedCommand.Ends ends = arrival.ends();
            ends.all()
                    .forEach(end -> of(end.name())
                            .append(
                                    null,
                                    Kind.ARRIVAL,
                                    NO_KEY,
                                    0,
                                    null,
                                    new Origin(arrival.source(), ends.epoch(), end.lastId())));
            return true;
        }
        if (command instanceof FeedCommand.ReadEnds) {
            List<FeedCommand.End> ends = new ArrayList<>();
            feeds.forEach((name, feed) ->
                    ends.add(new FeedCommand.End(name, position(feed.size()).id())));
            return new FeedCommand.Ends(epoch, ends);
        }
        List<FeedCommand.Description> all = new ArrayList<>();
        feeds.forEach((name, feed) -> all.add(feed.describe(name)));
        return all;
    }

    private static final class Group {
        private final TreeMap<String, Long> members =
                new TreeMap<>(); // with the end of each membership, in nanoseconds
        private @Nullable Position position; // null until the first read
        private boolean isRecorded; // since the first checkpoint
        private String holder = "";
        private long untilNanos;
        private long token;
    }

    private record Stored(Change change, long nanos) {}

    /** One feed; guarded by itself. */
    private final class Appended {
        private final Deque<Stored> stored = new ArrayDeque<>();
        private final Map<String, Group> groups = new HashMap<>();
        private long size; // the number of changes so far

        synchronized long size() {
            return size;
        }

        private long removed() {
            return size - stored.size();
        }

        synchronized FeedCommand.Erased erase(String key) {
            long before = stored.size();
            stored.removeIf(each -> {
                String text = each.change().key().text();
                return each.change().kind() == Kind.PUT && (text.equals(key) || text.contains("{" + key + "}"));
            });
            return new FeedCommand.Erased(before - stored.size(), "");
        }

        void append(Feed feed, Kind kind, EncodedKey key, long stamp, @Nullable Envelope envelope) {
            append(feed, kind, key, stamp, feed.hasValues() ? envelope : null, null);
        }

        synchronized void append(
                @Nullable Feed feed,
                Kind kind,
                EncodedKey key,
                long stamp,
                @Nullable Envelope envelope,
                @Nullable Origin origin) {
            size++;
            Position at = position(size);
            stored.add(new Stored(new Change(at, kind, key, stamp, envelope, origin), nanoTime.getAsLong()));
            if (feed != null) {
                trim(feed);
            }
        }

        private void trim(Feed feed) {
            long since = nanoTime.getAsLong() - TimeUnit.MILLISECONDS.toNanos(feed.keepMillis());
            Stored first = stored.peek();
            while (first != null && (stored.size() > feed.atMost() || first.nanos() - since < 0)) {
                stored.remove();
                first = stored.peek();
            }
        }

        private Group group(String name) {
            return groups.computeIfAbsent(name, first -> new Group());
        }

        synchronized Attendance attend(FeedCommand.Attend attend) {
            Group group = group(attend.group());
            String member = attend.member();
            long now = nanoTime.getAsLong();
            group.members.values().removeIf(until -> until - now < 0);
            if (attend.intent() == Intent.LEAVE) {
                group.members.remove(member);
            } else {
                group.members.put(member, now + FeedCommand.LEASE.toNanos());
            }
            List<String> live = List.copyOf(group.members.keySet());
            boolean isTurn =
                    !live.isEmpty() && live.get(attend.turn() % live.size()).equals(member);
            boolean isFree = group.holder.isEmpty() || group.untilNanos - now < 0;
            if (group.holder.equals(member)
                    && (attend.intent() == Intent.LEAVE || (attend.intent() == Intent.YIELD && !isTurn))) {
                group.holder = "";
                group.token++; // so that no late read is answered
            } else if (group.holder.equals(member)) {
                group.untilNanos = now + FeedCommand.LEASE.toNanos();
            } else if (isTurn && isFree) {
                group.holder = member;
                group.untilNanos = now + FeedCommand.LEASE.toNanos();
                group.token++;
            }
            return new Attendance(group.holder.equals(member) ? group.token : 0, isTurn);
        }

        synchronized Page read(FeedCommand.Read read) {
            if (read.token() == FeedCommand.WITHOUT_GROUP) {
                trim(read.feed());
                Position after = read.after();
                boolean isLost = after != null
                        && !after.id().equals(position(after.count()).id());
                return after == null ? page(size, false) : page(isLost ? removed() : after.count(), isLost);
            }
            Group group = group(read.group());
            if (group.token != read.token()) {
                return Page.NOT_HELD;
            }
            trim(read.feed());
            Position position = group.position;
            if (position == null) {
                Stored first = stored.peek();
                long count = read.isFromLatest() || first == null
                        ? size
                        : first.change().at().count() - 1;
                position = position(count);
                group.position = position;
            } else if (read.after() != null) {
                position = read.after();
            }
            return page(position.count(), read.after() == null && !group.isRecorded);
        }

        private Page page(long after, boolean isGap) {
            List<Change> changes = new ArrayList<>();
            long bytes = 0;
            for (Stored each : stored) {
                if (changes.size() == FeedCommand.MOST_CHANGES || bytes >= FeedCommand.MOST_BYTES) {
                    break;
                }
                Change change = each.change();
                if (change.at().count() > after) {
                    changes.add(change);
                    bytes += change.key().length()
                            + (change.envelope() == null ? 0 : change.envelope().sizeBytes());
                }
            }
            Position end = changes.isEmpty()
                    ? position(size)
                    : changes.get(changes.size() - 1).at();
            return new Page(true, isGap || removed() > after, changes, end, size);
        }

        synchronized boolean checkpoint(FeedCommand.Checkpoint set) {
            Group group = group(set.group());
            if (group.token != set.token() || group.position == null) {
                return false;
            }
            group.position = set.position();
            group.isRecorded = true;
            return true;
        }

        synchronized Passing hasPassed(FeedCommand.HasPassed asked) {
            Group group = groups.get(asked.group());
            if (group == null || group.position == null) {
                return Passing.LOST;
            }
            return group.position.isAtOrAfter(asked.origin().lastId()) ? Passing.PASSED : Passing.PENDING;
        }

        synchronized FeedCommand.Description describe(String name) {
            List<FeedCommand.GroupState> states = new ArrayList<>();
            groups.forEach((group, state) -> {
                long lag = state.position == null ? -1 : size - state.position.count();
                boolean isHeld = state.untilNanos - nanoTime.getAsLong() >= 0;
                states.add(new FeedCommand.GroupState(group, lag, isHeld ? state.holder : ""));
            });
            return new FeedCommand.Description(name, stored.size(), states);
        }
    }
}
