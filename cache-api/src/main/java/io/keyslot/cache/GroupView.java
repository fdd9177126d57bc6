// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * Access to the aggregates of one group.
 *
 * <p>All members have the root in their hash tag, and therefore one slot and one partition. A key of another group is
 * refused with {@link io.keyslot.cache.failure.CrossSlotException} before any I/O: when the handle is created or, for
 * an entry, when the key is passed.
 *
 * <p>Creating a handle has no effect on the partition. An aggregate exists from its first element to its last, as in
 * Redis. The names of aggregates and the entity types of caches share one namespace: a key cannot be both an entry and
 * a list, and a call that finds another type fails with {@link io.keyslot.cache.failure.WrongTypeException}.
 *
 * <p>Elements of the classes {@code String}, {@code Long}, {@code Integer}, {@code Short}, {@code Byte},
 * {@code Boolean}, {@code Double}, {@code Float}, {@code UUID}, enums and {@link EntityKey} are stored as text,
 * readable in {@code redis-cli}; all others are encoded with the manager's codec.
 */
public interface GroupView {
    /** Returns the root, whose text form is the hash tag of the group. */
    EntityKey root();

    /** Returns the hash with this key, which is the root or a member of the group. */
    <F, V> RemoteHash<F, V> hash(EntityKey key, Class<F> fieldClass, Class<V> valueClass);

    /** Returns the list with this key, which is the root or a member of the group. */
    <E> RemoteList<E> list(EntityKey key, Class<E> elementClass);

    /** Returns the set with this key, which is the root or a member of the group. */
    <E> RemoteSet<E> set(EntityKey key, Class<E> elementClass);

    /** Returns the sorted set with this key, which is the root or a member of the group. */
    <E> RemoteSortedSet<E> sortedSet(EntityKey key, Class<E> elementClass);

    /** Returns the counter with this key, which is the root or a member of the group. */
    RemoteCounter counter(EntityKey key);

    /** Returns the hash with this name in the group: {@code cart:{customer:99}}. */
    default <F, V> RemoteHash<F, V> hash(String name, Class<F> fieldClass, Class<V> valueClass) {
        return hash(EntityKey.of(name).in(root()), fieldClass, valueClass);
    }

    /** Returns the list with this name in the group: {@code history:{customer:99}}. */
    default <E> RemoteList<E> list(String name, Class<E> elementClass) {
        return list(EntityKey.of(name).in(root()), elementClass);
    }

    /** Returns the set with this name in the group: {@code orders:{customer:99}}. */
    default <E> RemoteSet<E> set(String name, Class<E> elementClass) {
        return set(EntityKey.of(name).in(root()), elementClass);
    }

    /** Returns the sorted set with this name in the group: {@code ratings:{customer:99}}. */
    default <E> RemoteSortedSet<E> sortedSet(String name, Class<E> elementClass) {
        return sortedSet(EntityKey.of(name).in(root()), elementClass);
    }

    /** Returns the counter with this name in the group: {@code visits:{customer:99}}. */
    default RemoteCounter counter(String name) {
        return counter(EntityKey.of(name).in(root()));
    }
}
