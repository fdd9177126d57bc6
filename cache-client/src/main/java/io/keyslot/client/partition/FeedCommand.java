// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Feed;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command about the change feeds of a partition. It belongs to no slot; a feed does not move with slots. A feed and the
 * positions of its groups last for one incarnation of the partition at most.
 *
 * <p>At most one member of a group reads a feed: the holder of a lease, identified by a fencing token. The token is higher
 * than all earlier ones that the partition remembers.
 */
public sealed interface FeedCommand<R> extends Command<R> {
    /** How long a lease and a membership last without renewal. */
    Duration LEASE = Duration.ofSeconds(10);

    /** The maximum number of changes of a page. */
    int MOST_CHANGES = 500;

    /** The bytes after which a page ends; the last change may exceed them. */
    int MOST_BYTES = 1 << 20;

    /** The names of the partition's feeds are kept for this time after the last reader. */
    Duration REGISTERED = Duration.ofDays(1);

    /**
     * Registers a member of a group for {@link #LEASE}, and renews its lease of the feed or acquires a free one. Of {@code n}
     * members in the order of their names, the one at {@code turn % n} acquires it.
     */
    record Attend(Feed feed, String group, String member, int turn, Intent intent) implements FeedCommand<Attendance> {}

    /** Whether a member wants to hold the lease of a feed. */
    enum Intent {
        STAY,
        /** Releases the lease if it is another member's turn. */
        YIELD,
        /** Releases the lease and ends the membership. */
        LEAVE
    }

    /** The token of the member's lease, 0 if it has none, and whether it is its turn to have it. */
    record Attendance(long token, boolean isTurn) {}

    /** The token of a reader that belongs to no group: it keeps its position itself. */
    long WITHOUT_GROUP = -1;

    /**
     * Reads the changes after a position, or after that of the group if it is null, in the order in which they were made.
     * A group without a position gets one: at the earliest stored change, or after the latest; that is a gap until its first
     * checkpoint. Removes changes that are too old. With {@link #WITHOUT_GROUP}, null means the position after the
     * latest change, and a position that the feed no longer has is a gap.
     */
    record Read(
            Feed feed, String group, long token, @Nullable Position after, boolean isFromLatest)
            implements FeedCommand<Page> {}

    /** A position in a feed, after a change; {@code count} is the number of changes up to there. */
    record Position(String id, long count) {
        /** Returns whether this is not before another position of the same feed, given by its two numbers, {@code 17-3}. */
        public boolean isAtOrAfter(String otherId) {
            long[] own = numbers(id);
            long[] other = numbers(otherId);
            return own[0] > other[0] || (own[0] == other[0] && own[1] >= other[1]);
        }

        private static long[] numbers(String id) {
            int end = id.indexOf('-');
            return new long[] {Long.parseLong(id.substring(0, end)), Long.parseLong(id.substring(end + 1))};
        }
    }

    /**
     * A page of a feed.
     *
     * @param isHeld false if the lease has another token; then there is nothing else
     * @param isGap whether changes may be missing before this page, because they were removed, or the position was lost
     * @param end the position after the page; after all changes if it is empty
     * @param size the number of changes up to the latest
     */
    record Page(boolean isHeld, boolean isGap, List<Change> changes, Position end, long size) {
        public static final Page NOT_HELD = new Page(false, false, List.of(), new Position("", 0), 0);
    }

    /** What a change does. */
    enum Kind {
        PUT('p'),
        REMOVE('r'),
        /** Changes one or several aggregates of the group with this root. */
        GROUP('g'),
        /** Is no change: slots have arrived from a partition, whose feed precedes what follows. */
        ARRIVAL('a');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        public char letter() {
            return letter;
        }
    }

    /**
     * A change at a position. {@code envelope} is the stored value if the feed has values; {@code origin} is given exactly
     * for {@link Kind#ARRIVAL}, whose key has no meaning.
     */
    record Change(
            Position at,
            Kind kind,
            EncodedKey key,
            long stamp,
            @Nullable Envelope envelope,
            @Nullable Origin origin) {}

    /** The end of a feed in an incarnation, identified by its epoch, of another partition. */
    record Origin(String partition, int epoch, String lastId) {}

    /** Sets the position of the group; answers whether the lease has this token and the group a position. */
    record Checkpoint(Feed feed, String group, long token, Position position) implements FeedCommand<Boolean> {}

    /** Answers whether the position of a group is at or after the end of this feed, as it was at an {@link Origin}. */
    record HasPassed(Feed feed, String group, Origin origin) implements FeedCommand<Passing> {}

    enum Passing {
        PASSED,
        PENDING,
        /** The feed or the position of the group was lost. */
        LOST
    }

    /** Answers the ends of all feeds of a namespace that are read, and perhaps of others. */
    record ReadEnds() implements FeedCommand<Ends> {}

    /** The last ids by the names of feeds. */
    record Ends(int epoch, List<End> all) {}

    record End(String name, String lastId) {}

    /** Appends an {@link Kind#ARRIVAL} to each of these feeds, before slots of another partition become writable here. */
    record AppendArrival(String source, Ends ends) implements FeedCommand<Boolean> {}

    /** Answers the feeds of a namespace that are read, with their groups. */
    record Describe() implements FeedCommand<List<Description>> {}

    /**
     * Removes what remains of the feed in former epochs, then the puts of a key, and of all keys of the group if it is a root:
     * a part of it at each time, from {@link #START} to the position that the last part answered. Removals stay, so that
     * readers hear of them.
     *
     * @param name the name of the feed
     * @param key the stored text of the key
     */
    record Erase(String name, String after, String key) implements FeedCommand<Erased> {}

    String START = "scan 0";
    int MOST_ERASED_AT_ONCE = 100;

    /** The number of removed changes, and the position of the next part; empty after the last one. */
    record Erased(long removed, String next) {}

    /** The present length of a feed, and its groups. */
    record Description(String name, long length, List<GroupState> groups) {}

    /** A group: the number of changes after its position, and the holder of the lease, empty if there is none. */
    record GroupState(String group, long lag, String holder) {}
}
