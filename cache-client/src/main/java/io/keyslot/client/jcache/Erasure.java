// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.ErasureReport;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.client.Client;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FeedCommand.Erased;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Removes all that is stored under a key: what waits in this process, then its entries, then their changes in the feeds, so
 * that a change that is made meanwhile is found, too. For one use.
 */
final class Erasure {
    private static final String HERE = "this process";

    /** Ten million changes of one feed: writers may append faster than this reads. */
    private static final int MOST_PAGES_OF_A_FEED = 100_000;

    private final KeyslotCacheManager manager;
    private final Client client;
    private final EntityKey key;
    private final EncodedKey stored;
    private final boolean isRoot;
    private final List<KeyslotCache<?, ?>> open;
    private final Map<String, Known> caches = new TreeMap<>();
    private final List<ErasureReport.Part> parts = new ArrayList<>();

    /** What matters of a cache, which need not be open. */
    private record Known(
            @Nullable String groupedBy, @Nullable Feed feed, boolean isRaw) {}

    /** Throws if the key cannot be one. */
    @SuppressWarnings("unchecked") // of whichever types the configuration is
    Erasure(KeyslotCacheManager manager, EntityKey key, List<KeyslotCache<?, ?>> open) {
        this.manager = manager;
        this.client = manager.client();
        this.key = key;
        this.open = open;
        this.stored = manager.groups().encode(key);
        this.isRoot = key.group() == null;
        String namespace = client.options().namespace();
        client.options().caches().forEach((name, cache) -> {
            String type = Objects.requireNonNullElse(cache.entityType(), name);
            Feed feed = CacheAssembly.feedOf(namespace, type, cache.feed());
            if (cache.stored().hasDictionary()
                    && (type.equals(key.type()) || (isRoot && key.type().equals(cache.groupedBy())))) {
                throw new UnsupportedOperationException(
                        "Cache %s: nothing was erased, because its dictionary contains pieces of values; leave out compression.dictionary, clear the cache, and delete the keys %s"
                                .formatted(
                                        name,
                                        GroupHome.ofOurs(namespace, type)
                                                .dictionary("*")
                                                .text()));
            }
            caches.put(type, new Known(cache.groupedBy(), feed, cache.layout() == ValueLayout.RAW));
        });
        for (KeyslotCache<?, ?> cache : open) {
            PartitionedConfiguration<?, ?> options = cache.getConfiguration(PartitionedConfiguration.class);
            Feed feed = CacheAssembly.feedOf(namespace, cache.entityType(), options.getFeed());
            boolean isRaw = options.getLayout() == ValueLayout.RAW;
            caches.put(cache.entityType(), new Known(options.getGroupedBy(), feed, isRaw));
        }
    }

    private boolean isErased(EncodedKey other) {
        return other.equals(stored) || (isRoot && HashSlot.tag(other.text()).equals(stored.text()));
    }

    private void giveUpWrites(KeyslotCache<?, ?> cache) {
        int givenUp = cache.giveUpWrites(this::isErased);
        if (givenUp != 0) {
            parts.add(new ErasureReport.Part(
                    HERE,
                    "write-behind queue of " + cache.getName(),
                    Math.max(0, givenUp),
                    givenUp < 0 ? "a change is being written or made; repeat the erasure when that is over" : null));
        }
    }

    ErasureReport run() {
        open.forEach(this::giveUpWrites); // first, as a loader of this process reads them
        String owner = client.router().ownerOf(stored).map(PartitionId::name).orElse("no partition");
        Map<String, Long> removed = new LinkedHashMap<>();
        @Nullable String problem = null;
        try {
            manager.groups().erase(key, this::feedOf, (content, count) -> {
                if (count > 0) {
                    removed.merge(content, count, Long::sum);
                }
            });
        } catch (KeyslotException e) {
            removeLater();
            problem = e.getMessage()
                    + "; repeat the erasure. Until then, this process deletes the entries of configured caches when the"
                    + " partition answers, before it reads any";
        }
        removed.forEach((content, count) -> parts.add(new ErasureReport.Part(owner, content, count, null)));
        if (problem != null) {
            parts.add(new ErasureReport.Part(
                    owner, isRoot ? "group of " + key.type() : "entries of " + key.type(), 0, problem));
        }
        if (client.options().engine() != Engine.CLUSTER) {
            client.router().slotMap().partitions().forEach(this::eraseFromFeeds);
        }
        client.history().forget(this::isErased);
        return new ErasureReport(key, parts);
    }

    private @Nullable Feed feedOf(String type) {
        Known cache = caches.get(type);
        return cache == null ? null : cache.feed();
    }

    /** Has the entries deleted before they are read again. Drops all near copies, as it does not know the members. */
    private void removeLater() {
        Known own = caches.get(key.type());
        client.router().forget(List.of(own != null && own.isRaw() ? stored.raw() : stored.in(feedOf(key.type()))));
        if (!isRoot) {
            return;
        }
        caches.forEach((type, cache) -> {
            if (key.type().equals(cache.groupedBy())) {
                String prefix =
                        manager.groups().encode(EntityKey.of(type).in(key)).text();
                client.router()
                        .ownerOf(stored)
                        .ifPresent(owner -> client.router()
                                .clearLater(
                                        owner,
                                        prefix,
                                        member -> member.in(cache.feed()).indexed()));
            }
        });
        open.forEach(KeyslotCache::dropNear);
    }

    private void eraseFromFeeds(PartitionId partition) {
        try {
            for (String name : feedsAt(partition)) {
                long removed = erasedFrom(name, partition);
                if (removed > 0) {
                    parts.add(new ErasureReport.Part(partition.name(), contentOf(name), removed, null));
                }
            }
        } catch (KeyslotException e) {
            parts.add(new ErasureReport.Part(partition.name(), "feeds", 0, e.getMessage() + "; repeat the erasure"));
        }
    }

    /** Returns the names of the feeds of known caches; if none is known, of those that are read. */
    private Set<String> feedsAt(PartitionId partition) {
        return caches.isEmpty()
                ? ask(partition, new FeedCommand.Describe()).stream()
                        .map(FeedCommand.Description::name)
                        .collect(Collectors.toCollection(TreeSet::new))
                : caches.values().stream()
                        .map(Known::feed)
                        .filter(Objects::nonNull)
                        .map(Feed::name)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private long erasedFrom(String name, PartitionId partition) {
        long removed = 0;
        String after = FeedCommand.START;
        for (int page = 0; page < MOST_PAGES_OF_A_FEED && !after.isEmpty(); page++) {
            Erased erased = ask(partition, new FeedCommand.Erase(name, after, stored.text()));
            removed += erased.removed();
            after = erased.next();
        }
        return removed;
    }

    private static String contentOf(String feed) {
        return "feed of " + feed.substring(feed.indexOf(':') + 1);
    }

    private <R> R ask(PartitionId partition, Command<R> command) {
        Reply<R> reply =
                client.ask(partition, command, client.options().deadlines().call());
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw new Failures("Feeds").ofRead("erase", reply);
    }
}
