// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.AggregateDescription;
import io.keyslot.client.partition.GroupDirectory;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupListing.Row;
import io.keyslot.client.partition.GroupListing.Span;
import io.keyslot.client.partition.GroupWeight;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.embedded.StoredEntries.Change;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Queries and changes the indexes of groups, with the lock of the group's slot held. */
final class EmbeddedDirectory implements GroupDirectory {
    private static final Element WITHOUT_LIMIT = Element.of(-1);

    private final StoredEntries entries;
    private final EntryForm form;
    private final GroupIndexes indexes;

    EmbeddedDirectory(StoredEntries entries, EntryForm form, GroupIndexes indexes) {
        this.entries = entries;
        this.form = form;
        this.indexes = indexes;
    }

    @Override
    public CompletableFuture<Reply<List<Row>>> rows(GroupListing.Rows listing) {
        return together(
                listing,
                () -> namesOf(listing.home(), listing.span()).stream()
                        .map(name -> row(name, listing.home().keyOf(name)))
                        .toList());
    }

    private Row row(Element name, EncodedKey key) {
        return new Row(name, key, find(key));
    }

    @Override
    public CompletableFuture<Reply<List<Element>>> names(GroupListing.Names listing) {
        return together(listing, () -> namesOf(listing.home(), listing.span()));
    }

    @SuppressWarnings("unchecked") // the operation's result type
    private List<Element> namesOf(GroupHome home, Span span) {
        List<Element> names = new ArrayList<>((List<Element>) answer(
                indexOf(home),
                AggregateOperation.SORTED_BY_ELEMENT,
                List.of(span.from(), span.to(), span.isDescending() ? WITHOUT_LIMIT : Element.of(span.limit()))));
        if (span.isDescending()) {
            Collections.reverse(names);
        }
        return List.copyOf(names.subList(0, Math.min(names.size(), span.limit())));
    }

    private static Object answer(AggregateModel model, AggregateOperation operation, List<Element> arguments) {
        Object answer = model.execute(operation, arguments);
        if (answer == null) {
            throw new IllegalStateException(operation + " answers something");
        }
        return answer;
    }

    private AggregateModel indexOf(GroupHome home) {
        return indexes.find(home.index(), AggregateKind.SORTED_SET);
    }

    @Override
    public CompletableFuture<Reply<Long>> forget(GroupListing.Forget listing) {
        return together(listing, () -> {
            List<Element> gone = listing.names().stream()
                    .filter(name -> !find(listing.home().keyOf(name)).isFound())
                    .toList();
            indexes.forget(listing.home().index(), AggregateKind.SORTED_SET, gone);
            return (long) gone.size();
        });
    }

    @Override
    public CompletableFuture<Reply<Long>> relist(GroupListing.Relist listing) {
        return together(listing, () -> {
            int before = sizeOf(indexOf(listing.home()));
            for (EncodedKey key : listing.keysOf(listing.names())) {
                EmbeddedEntry stored = entries.find(key);
                if (stored != null && form.read(key, stored).isFound()) {
                    indexes.list(listing.home(), key, stored);
                }
            }
            return (long) sizeOf(indexOf(listing.home())) - before;
        });
    }

    private static int sizeOf(AggregateModel index) {
        return everySecond(index.elements()).size();
    }

    @Override
    public CompletableFuture<Reply<Long>> expire(GroupListing.Expire listing) {
        return together(
                listing,
                () -> listing.keysOf(listing.names()).stream()
                        .filter(key -> expire(key, listing))
                        .count());
    }

    @Override
    public CompletableFuture<Reply<Long>> hold(GroupListing.Hold listing) {
        return together(listing, () -> indexes.expire(listing.home().index(), Expiry.NEVER));
    }

    /** Ignores the hold: this engine can check all listed entries instead. */
    @Override
    public CompletableFuture<Reply<Long>> release(GroupListing.Release listing) {
        return together(listing, () -> {
            boolean mayExpire = everySecond(indexOf(listing.home()).elements()).stream()
                    .map(name -> entries.find(listing.home().keyOf(name)))
                    .allMatch(stored -> stored == null || endsBy(listing.expiry(), stored));
            return mayExpire ? indexes.expire(listing.home().index(), listing.expiry()) : 0;
        });
    }

    private boolean endsBy(Expiry expiry, EmbeddedEntry stored) {
        long left = stored.millisLeft(entries.nowNanos());
        return expiry.isNever() || (left >= 0 && left <= expiry.millis());
    }

    private boolean expire(EncodedKey key, GroupListing.Expire listing) {
        return entries.change(key, present -> {
            if (present == null || !form.read(key, present).isFound()) {
                return new Change<>(false, present);
            }
            return new Change<>(true, present.expiring(listing.expiry(), entries.nowNanos()));
        });
    }

    @Override
    public CompletableFuture<Reply<List<AggregateDescription>>> aggregates(GroupListing.Aggregates listing) {
        return together(listing, () -> {
            List<AggregateDescription> descriptions = new ArrayList<>();
            List<Element> gone = new ArrayList<>();
            for (Element name : aggregatesOf(listing.home()).elements()) {
                EncodedKey key = listing.home().keyOf(name);
                EmbeddedEntry stored = entries.find(key);
                StoredAggregate aggregate = stored == null ? null : stored.aggregate();
                if (stored == null || aggregate == null || aggregate.epoch() != form.epoch()) {
                    gone.add(name);
                } else {
                    descriptions.add(new AggregateDescription(
                            key, aggregate.model().kind(), stored.sizeBytes(), stored.millisLeft(entries.nowNanos())));
                }
            }
            indexes.forget(GroupIndexes.aggregates(listing.home()), AggregateKind.SET, gone);
            return descriptions;
        });
    }

    private AggregateModel aggregatesOf(GroupHome home) {
        return indexes.find(GroupIndexes.aggregates(home), AggregateKind.SET);
    }

    @Override
    public CompletableFuture<Reply<GroupWeight>> weigh(GroupListing.Weigh listing) {
        return together(listing, () -> {
            List<Element> names = everySecond(indexOf(listing.home()).elements());
            List<Element> aggregates = aggregatesOf(listing.home()).elements();
            long bytes = bytesOf(listing.home(), names)
                    + bytesOf(listing.home(), aggregates)
                    + sizeOf(EncodedKey.of(listing.home().tag()));
            return new GroupWeight(names.size(), aggregates.size(), bytes);
        });
    }

    /** Returns the elements of a sorted set, which alternate with scores. */
    private static List<Element> everySecond(List<Element> elementsAndScores) {
        List<Element> elements = new ArrayList<>(elementsAndScores.size() / 2);
        for (int i = 0; i < elementsAndScores.size(); i += 2) {
            elements.add(elementsAndScores.get(i));
        }
        return elements;
    }

    private long bytesOf(GroupHome home, List<Element> names) {
        long bytes = names.stream()
                .limit(GroupListing.Weigh.SAMPLE)
                .mapToLong(name -> sizeOf(home.keyOf(name)))
                .sum();
        return names.size() <= GroupListing.Weigh.SAMPLE ? bytes : bytes * names.size() / GroupListing.Weigh.SAMPLE;
    }

    private long sizeOf(EncodedKey key) {
        EmbeddedEntry stored = entries.find(key);
        return stored == null ? 0 : stored.sizeBytes();
    }

    private Lookup find(EncodedKey key) {
        return form.read(key, entries.find(key));
    }

    private <R> CompletableFuture<Reply<R>> together(GroupListing<R> listing, Supplier<R> work) {
        return CompletableFuture.completedFuture(
                Reply.done(entries.together(listing.home().slot(), work)));
    }
}
