// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupMember;
import io.keyslot.cache.GroupSize;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.GroupListing.AggregateDescription;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Operations on the whole content of a group: the root's entry, the indexed entries, and the aggregates. */
final class GroupContents {
    private final GroupForms forms;
    private final GroupCalls calls;
    private final AggregateAccess access;
    private final IndexReader index;

    GroupContents(GroupForms forms, GroupCalls calls, AggregateAccess access) {
        this.forms = forms;
        this.calls = calls;
        this.access = access;
        this.index = new IndexReader(calls);
    }

    Map<EntityKey, Object> getAll() {
        Map<EntityKey, Object> values = new LinkedHashMap<>();
        Description root = describe("getAll", rootKey());
        decoded(rootKey(), root.lookup().envelope())
                .ifPresent(value -> values.put(forms.keys().root(), value));
        index.forEachRow("getAll", index.everything(), row -> {
            decoded(row.key(), row.lookup().envelope())
                    .ifPresent(value -> forms.keys().decode(row.key()).ifPresent(key -> values.put(key, value)));
            return true;
        });
        return values;
    }

    /** Returns the value; empty without an entry, or without a cache for it. */
    private Optional<Object> decoded(EncodedKey key, @Nullable Envelope envelope) {
        Optional<GroupedCache<?, ?>> cache = forms.caches().ofType(forms.keys().typeOf(key));
        return envelope == null || cache.isEmpty()
                ? Optional.empty()
                : cache.get().decode(envelope).map(value -> (Object) value);
    }

    List<GroupMember> members() {
        return members("members");
    }

    private List<GroupMember> members(String operation) {
        List<GroupMember> members = new ArrayList<>();
        MemberDescriptions.of(rootKey(), describe(operation, rootKey())).ifPresent(members::add);
        index.forEachPage(operation, names -> {
            List<EncodedKey> keys =
                    names.stream().map(forms.keys().home()::keyOf).toList();
            List<Description> descriptions =
                    calls.answerAll(keys.stream().map(Command.Describe::new).toList(), operation);
            for (int i = 0; i < keys.size(); i++) {
                MemberDescriptions.of(keys.get(i), descriptions.get(i)).ifPresent(members::add);
            }
        });
        aggregates(operation).forEach(aggregate -> members.add(MemberDescriptions.of(aggregate)));
        return members;
    }

    long expireAll(Duration timeToLive) {
        Expiry expiry = Expiry.after(timeToLive);
        long concerned = expireEntries(expiry);
        for (AggregateDescription aggregate : aggregates("expireAll")) {
            concerned += ifStill(() -> access.expire("expireAll", aggregate.key(), aggregate.kind(), expiry));
        }
        return concerned + expireRoot(expiry);
    }

    private long expireEntries(Expiry expiry) {
        GroupHome home = forms.keys().home();
        long[] concerned = {0};
        // The index must not expire before its entries, even if this is interrupted: hold it first, release it last.
        index.ask("expireAll", new GroupListing.Hold(home));
        index.forEachPage(
                "expireAll",
                names -> concerned[0] += index.ask("expireAll", new GroupListing.Expire(home, names, expiry)));
        index.ask("expireAll", new GroupListing.Release(home, expiry));
        return concerned[0];
    }

    private int expireRoot(Expiry expiry) {
        long stamp = describe("expireAll", rootKey()).lookup().stamp();
        boolean isThere = stamp != Command.ABSENT
                && calls.answer(new Command.CompareAndExpire(rootKey(), stamp, expiry), "expireAll");
        return isThere ? 1 : 0;
    }

    long removeAll() {
        long[] concerned = {0};
        index.forEachPage("removeAll", names -> concerned[0] += removeEntries(names));
        for (AggregateDescription aggregate : aggregates("removeAll")) {
            concerned[0] += ifStill(() -> access.delete("removeAll", aggregate.key(), aggregate.kind()));
        }
        return concerned[0] + calls.answer(new Command.RemoveAll(List.of(rootKey())), "removeAll");
    }

    private long removeEntries(List<Element> names) {
        GroupListing.Forget forget = new GroupListing.Forget(forms.keys().home(), names);
        long removed = calls.answer(new Command.RemoveAll(forget.keysOf(names)), "removeAll");
        index.ask("removeAll", forget);
        return removed;
    }

    /** Returns 1 if the change was made; ignores aggregates that have another type by now. */
    private static int ifStill(BooleanSupplier change) {
        try {
            return change.getAsBoolean() ? 1 : 0;
        } catch (WrongTypeException becameAnother) {
            return 0;
        }
    }

    long count() {
        long[] entries = {describe("count", rootKey()).lookup().isFound() ? 1 : 0};
        index.forEachPage("count", names -> {
            long gone = index.ask("count", new GroupListing.Forget(forms.keys().home(), names));
            entries[0] += names.size() - gone;
        });
        return entries[0] + aggregates("count").size();
    }

    GroupSize size() {
        long entries = 0;
        long aggregates = 0;
        long bytes = 0;
        for (GroupMember member : members("size")) {
            if (member.kind() == GroupMember.Kind.ENTRY) {
                entries++;
            } else {
                aggregates++;
            }
            bytes += member.sizeBytes();
        }
        return new GroupSize(entries, aggregates, bytes);
    }

    private List<AggregateDescription> aggregates(String operation) {
        return index.ask(operation, new GroupListing.Aggregates(forms.keys().home()));
    }

    private Description describe(String operation, EncodedKey key) {
        return calls.answer(new Command.Describe(key), operation);
    }

    private EncodedKey rootKey() {
        return EncodedKey.of(forms.keys().home().tag());
    }
}
