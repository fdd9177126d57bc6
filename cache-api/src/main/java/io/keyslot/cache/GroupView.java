// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * What belongs to one group, by handle: entries of caches, ordered rows, and aggregates.
 *
 * <p>Everything that a handle touches has the root in its hash tag, and therefore one slot and one partition. A key of
 * another group is refused with {@link io.keyslot.cache.failure.CrossSlotException} when the handle is asked for or, for
 * an entry, when the key is given: before anything is sent.
 *
 * <p>Asking for a handle neither sends nor creates anything. A thing exists from its first element to its last, as in
 * Redis. The names of aggregates and of caches' entity types share one space: what is an entry cannot be a list, and a
 * call that finds another type than its own fails with {@link io.keyslot.cache.failure.WrongTypeException}.
 *
 * <p>Elements of the classes {@code String}, {@code Long}, {@code Integer}, {@code Short}, {@code Byte}, {@code Boolean},
 * {@code Double}, {@code Float}, {@code UUID}, enums and {@link EntityKey} are stored as text, as {@code redis-cli} would
 * show them; all others with the manager's codec.
 */
public interface GroupView {
    /** Returns the root, whose text form is the hash tag of everything in the group. */
    EntityKey root();

    /**
     * Returns those entries of a cache that belong to this group.
     *
     * @param cache of the same manager
     * @throws IllegalArgumentException if it is a cache of another manager
     */
    <K, V> GroupEntries<K, V> entries(PartitionedCache<K, V> cache);

    /**
     * Returns the rows of an entity type in this group: {@code order:{customer:99}:2024-01-17}. Their values are those of
     * the manager's open cache of this entity type, or of any class with the manager's codec if there is none.
     */
    GroupRows<Object> rows(String type);

    /**
     * Returns the rows of an entity type, whose values are of this class.
     *
     * @throws ClassCastException if the manager has an open cache of this entity type with values of another class
     */
    <V> GroupRows<V> rows(String type, Class<V> valueClass);

    /** Returns the hash under this key, which is the root or a member of the group. */
    <F, V> RemoteHash<F, V> hash(EntityKey key, Class<F> fieldClass, Class<V> valueClass);

    /** Returns the list under this key, which is the root or a member of the group. */
    <E> RemoteList<E> list(EntityKey key, Class<E> elementClass);

    /** Returns the set under this key, which is the root or a member of the group. */
    <E> RemoteSet<E> set(EntityKey key, Class<E> elementClass);

    /** Returns the sorted set under this key, which is the root or a member of the group. */
    <E> RemoteSortedSet<E> sortedSet(EntityKey key, Class<E> elementClass);

    /** Returns the counter under this key, which is the root or a member of the group. */
    RemoteCounter counter(EntityKey key);

    /** Returns the one hash of this name in the group: {@code cart:{customer:99}}. */
    default <F, V> RemoteHash<F, V> hash(String name, Class<F> fieldClass, Class<V> valueClass) {
        return hash(EntityKey.of(name).in(root()), fieldClass, valueClass);
    }

    /** Returns the one list of this name in the group: {@code history:{customer:99}}. */
    default <E> RemoteList<E> list(String name, Class<E> elementClass) {
        return list(EntityKey.of(name).in(root()), elementClass);
    }

    /** Returns the one set of this name in the group: {@code orders:{customer:99}}. */
    default <E> RemoteSet<E> set(String name, Class<E> elementClass) {
        return set(EntityKey.of(name).in(root()), elementClass);
    }

    /** Returns the one sorted set of this name in the group: {@code ratings:{customer:99}}. */
    default <E> RemoteSortedSet<E> sortedSet(String name, Class<E> elementClass) {
        return sortedSet(EntityKey.of(name).in(root()), elementClass);
    }

    /** Returns the one counter of this name in the group: {@code visits:{customer:99}}. */
    default RemoteCounter counter(String name) {
        return counter(EntityKey.of(name).in(root()));
    }
}
