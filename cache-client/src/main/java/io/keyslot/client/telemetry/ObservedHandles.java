// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.GroupProcessor;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.RemoteAggregate;
import io.keyslot.cache.RemoteCounter;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.RemoteList;
import io.keyslot.cache.RemoteSet;
import io.keyslot.cache.RemoteSortedSet;
import io.keyslot.cache.RowRange;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A group, a transaction, or a handle that one of them has given, whose calls are observed. The rule, for each method of each of
 * their interfaces: what gives another handle gives an observed one and is no call; what answers without its partition is no
 * call; everything else is one.
 *
 * <p>A proxy, as these are ninety methods of which each would be the same line, and none may be forgotten. Immutable.
 */
final class ObservedHandles implements InvocationHandler {
    /** The interfaces of handles; what implements several of them is the first. */
    static final List<Handle> HANDLES = List.of(
            new Handle(CacheGroup.class, "group."),
            new Handle(GroupTransaction.class, "group."),
            new Handle(GroupEntries.class, ""), // the cache's own operations
            new Handle(GroupRows.class, "rows."),
            new Handle(RowRange.class, "rows."),
            new Handle(GroupLock.class, "lock."),
            new Handle(GroupLock.Held.class, "lock."),
            new Handle(RemoteHash.class, "hash."),
            new Handle(RemoteList.class, "list."),
            new Handle(RemoteSet.class, "set."),
            new Handle(RemoteSortedSet.class, "sortedSet."),
            new Handle(RemoteCounter.class, "counter."));

    /** What is answered without a partition, or, as {@code async}, is a call when it calls. */
    static final Set<String> NO_CALLS = Set.of("root", "slot", "partition", "key", "token", "isHeld", "async");

    /**
     * A kind of handle.
     *
     * @param title how the names of its operations begin
     */
    record Handle(Class<?> type, String title) {}

    private final Handle kind;
    private final Object handle;
    private final CacheObservations observations;
    private final Function<String, CacheObservations> caches;
    private final @Nullable Object key;

    private ObservedHandles(
            Handle kind,
            Object handle,
            CacheObservations observations,
            Function<String, CacheObservations> caches,
            @Nullable Object key) {
        this.kind = kind;
        this.handle = handle;
        this.observations = observations;
        this.caches = caches;
        this.key = key;
    }

    /**
     * Returns a group whose calls are observed.
     *
     * @param caches observes by the name of a cache, or by the entity type of a root
     */
    static CacheGroup around(CacheGroup group, Function<String, CacheObservations> caches) {
        return (CacheGroup) around(group, caches.apply(group.root().type()), caches, group.root());
    }

    private static GroupTransaction around(GroupTransaction transaction, Function<String, CacheObservations> caches) {
        EntityKey root = transaction.root();
        return (GroupTransaction) around(transaction, caches.apply(root.type()), caches, root);
    }

    private static Object around(
            Object handle,
            CacheObservations observations,
            Function<String, CacheObservations> caches,
            @Nullable Object key) {
        Handle kind = HANDLES.stream()
                .filter(each -> each.type().isInstance(handle))
                .findFirst()
                .orElseThrow();
        return Proxy.newProxyInstance(
                kind.type().getClassLoader(),
                new Class<?>[] {kind.type()},
                new ObservedHandles(kind, handle, observations, caches, key));
    }

    /** Returns a processor whose group is observed. */
    static <T extends @Nullable Object> GroupProcessor<T> around(
            GroupProcessor<T> processor, Function<String, CacheObservations> caches) {
        Objects.requireNonNull(processor, "processor");
        return (group, arguments) -> processor.process(around(group, caches), arguments);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a proxy equals itself only
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        @Nullable Object[] given = arguments == null ? new Object[0] : arguments.clone();
        if (method.getDeclaringClass().equals(Object.class)) {
            return method.getName().equals("equals") ? given[0] == proxy : call(method, given);
        }
        for (int i = 0; i < given.length; i++) {
            given[i] = toBeCalled(method.getParameterTypes()[i], given[i], proxy);
        }
        if (isHandle(method.getReturnType())) {
            return observed(call(method, given), given);
        }
        if (NO_CALLS.contains(method.getName())) {
            return call(method, given);
        }
        Object result = observations.<@Nullable Object, Exception>now(
                kind.title() + method.getName(), keyOf(given), () -> call(method, given));
        return result instanceof Optional<?> held && handle instanceof GroupLock
                ? held.map(each -> observed(each, given))
                : result;
    }

    private static boolean isHandle(Class<?> type) {
        return type.equals(RemoteAggregate.class)
                || HANDLES.stream().anyMatch(each -> each.type().equals(type));
    }

    /** Returns the key that the call is about: the root of the group, or that of the entry. */
    private @Nullable Object keyOf(@Nullable Object[] given) {
        return key != null || given[0] instanceof Iterable ? key : given[0];
    }

    /** Returns what the application has handed in to be called, so that what it is called with is observed. */
    @SuppressWarnings("unchecked") // the methods of handles take these with these types only
    private @Nullable Object toBeCalled(Class<?> type, @Nullable Object given, Object proxy) {
        if (given == null) {
            return null;
        }
        if (type.equals(GroupWork.class)) {
            GroupWork<@Nullable Object> work = (GroupWork<@Nullable Object>) given;
            return (GroupWork<@Nullable Object>) transaction -> work.apply(around(transaction, caches));
        }
        if (type.equals(GroupProcessor.class)) {
            return around((GroupProcessor<@Nullable Object>) given, caches);
        }
        if (type.equals(Consumer.class)) {
            Consumer<GroupTransaction> work = (Consumer<GroupTransaction>) given;
            return (Consumer<GroupTransaction>) transaction -> work.accept(around(transaction, caches));
        }
        if (type.equals(Function.class)) {
            Function<Object, @Nullable Object> operation = (Function<Object, @Nullable Object>) given;
            return (Function<Object, @Nullable Object>) itself -> operation.apply(proxy);
        }
        return given;
    }

    /** Returns a handle that a method has given, observed. */
    private Object observed(@Nullable Object given, @Nullable Object[] arguments) {
        Object found = Objects.requireNonNull(given, "handle");
        return found instanceof GroupEntries<?, ?>
                ? around(
                        found,
                        caches.apply(((PartitionedCache<?, ?>) Objects.requireNonNull(arguments[0])).getName()),
                        caches,
                        null)
                : around(found, observations, caches, key);
    }

    private @Nullable Object call(Method method, @Nullable Object[] given) throws Exception {
        try {
            return method.invoke(handle, given);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }
}
