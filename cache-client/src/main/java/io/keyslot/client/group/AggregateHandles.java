// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupView;
import io.keyslot.cache.RemoteCounter;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.RemoteList;
import io.keyslot.cache.RemoteSet;
import io.keyslot.cache.RemoteSortedSet;
import io.keyslot.client.group.Aggregate.AggregateAccess;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.Expiry;

/** Creates handles of aggregates for a group or a transaction, which reach them in different ways. Immutable. */
abstract class AggregateHandles implements GroupView {
    final GroupForms forms;
    final AggregateAccess access;

    AggregateHandles(GroupForms forms, AggregateAccess access) {
        this.forms = forms;
        this.access = access;
    }

    @Override
    public final EntityKey root() {
        return forms.keys().root();
    }

    @Override
    public final <F, V> RemoteHash<F, V> hash(EntityKey key, Class<F> fieldClass, Class<V> valueClass) {
        return new HashHandle<>(aggregate(key, AggregateKind.HASH), fieldClass, valueClass);
    }

    @Override
    public final <E> RemoteList<E> list(EntityKey key, Class<E> elementClass) {
        return new ListHandle<>(aggregate(key, AggregateKind.LIST), elementClass);
    }

    @Override
    public final <E> RemoteSet<E> set(EntityKey key, Class<E> elementClass) {
        return new SetHandle<>(aggregate(key, AggregateKind.SET), elementClass);
    }

    @Override
    public final <E> RemoteSortedSet<E> sortedSet(EntityKey key, Class<E> elementClass) {
        return new SortedSetHandle<>(aggregate(key, AggregateKind.SORTED_SET), elementClass);
    }

    @Override
    public final RemoteCounter counter(EntityKey key) {
        return new CounterHandle(aggregate(key, AggregateKind.COUNTER));
    }

    private Aggregate aggregate(EntityKey key, AggregateKind kind) {
        forms.caches().checkOpen();
        return new Aggregate(
                forms, access, key, forms.keys().aggregate(forms.keys().encode(key)), kind, Expiry.UNCHANGED);
    }
}
