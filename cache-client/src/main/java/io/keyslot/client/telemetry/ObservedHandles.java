// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.GroupLock;
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
import io.keyslot.cache.TransactionRows;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.cache.queue.QueueMessage;
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
 * A proxy for a group, a transaction or one of their handles, which observes calls. Methods that return another handle
 * return an observed one and are not calls; neither are methods that do not use the partition; all others are calls. A
 * proxy, because the code for each of the ninety methods would be the same. Immutable.
 */
public record ObservedHandles(
        Handle kind,
        Object handle,
        CacheTelemetry telemetry,
        Function<String, ? extends CacheTelemetry> caches,
        @Nullable Object key)
        implements InvocationHandler {
    /** The interfaces of handles. An object that implements several of them has the first one. */
    static final List<Handle> HANDLES = List.of(
            new Handle(CacheGroup.class, "group."),
            new Handle(GroupTransaction.class, "group."),
            new Handle(GroupEntries.class, ""), // named like the cache's own operations
            new Handle(GroupRows.class, "rows."),
            new Handle(TransactionRows.class, "rows."),
            new Handle(RowRange.class, "rows."),
            new Handle(GroupLock.class, "lock."),
            new Handle(GroupLock.Held.class, "lock."),
            new Handle(RemoteHash.class, "hash."),
            new Handle(RemoteList.class, "list."),
            new Handle(RemoteSet.class, "set."),
            new Handle(RemoteSortedSet.class, "sortedSet."),
            new Handle(RemoteCounter.class, "counter."),
            new Handle(PartitionedQueue.class, "queue."),
            new Handle(QueueMessage.class, "message."));

    /** Methods that do not use the partition, or observe their calls themselves, such as {@code async}. */
    static final Set<String> NO_CALLS = Set.of(
            "root", "slot", "partition", "key", "token", "isHeld", "async", "name", "value", "session", "deliveries");

    /** The interface of a handle, and the beginning of its operations' names. */
    record Handle(Class<?> type, String title) {}

    public static List<Class<?>> interfaces() {
        return HANDLES.stream().<Class<?>>map(Handle::type).toList();
    }

    /** Returns an observed group; {@code caches} returns the telemetry of a cache name, or of the entity type of a root. */
    static CacheGroup around(CacheGroup group, Function<String, ? extends CacheTelemetry> caches) {
        return (CacheGroup) around(group, caches.apply(group.root().type()), caches, group.root());
    }

    /** Returns an observed queue. Its name stands for the key, as messages are no keys. */
    @SuppressWarnings("unchecked") // a proxy for the same queue
    static <E> PartitionedQueue<E> around(
            PartitionedQueue<E> queue, Function<String, ? extends CacheTelemetry> caches) {
        return (PartitionedQueue<E>) around(queue, caches.apply(queue.name()), caches, queue.name());
    }

    private static GroupTransaction around(
            GroupTransaction transaction, Function<String, ? extends CacheTelemetry> caches) {
        EntityKey root = transaction.root();
        return (GroupTransaction) around(transaction, caches.apply(root.type()), caches, root);
    }

    private static Object around(
            Object handle,
            CacheTelemetry telemetry,
            Function<String, ? extends CacheTelemetry> caches,
            @Nullable Object key) {
        Handle kind = HANDLES.stream()
                .filter(each -> each.type().isInstance(handle))
                .findFirst()
                .orElseThrow();
        return Proxy.newProxyInstance(
                kind.type().getClassLoader(),
                new Class<?>[] {kind.type()},
                new ObservedHandles(kind, handle, telemetry, caches, key));
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
        Object result = telemetry.<@Nullable Object, Exception>call(
                kind.title() + method.getName(), keyOf(given), () -> call(method, given));
        return result instanceof Optional<?> held && (handle instanceof GroupLock || handle instanceof PartitionedQueue)
                ? held.map(each -> observed(each, given))
                : result;
    }

    private static boolean isHandle(Class<?> type) {
        return type.equals(RemoteAggregate.class)
                || HANDLES.stream().anyMatch(each -> each.type().equals(type));
    }

    /** Returns the key of the call: the root of the group, or the key of the entry. */
    private @Nullable Object keyOf(@Nullable Object[] given) {
        return key != null || given[0] instanceof Iterable ? key : given[0];
    }

    /** Wraps callbacks of the application, so that they receive observed arguments. */
    @SuppressWarnings("unchecked") // the methods of handles have these parameters with these types only
    private @Nullable Object toBeCalled(Class<?> type, @Nullable Object given, Object proxy) {
        if (given == null) {
            return null;
        }
        if (type.equals(GroupWork.class)) {
            GroupWork<@Nullable Object> work = (GroupWork<@Nullable Object>) given;
            return (GroupWork<@Nullable Object>) transaction -> work.apply(around(transaction, caches));
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

    private Object observed(@Nullable Object given, @Nullable Object[] arguments) {
        Object found = Objects.requireNonNull(given, "handle");
        return found instanceof GroupEntries<?, ?>
                ? around(
                        found,
                        caches.apply(((PartitionedCache<?, ?>) Objects.requireNonNull(arguments[0])).getName()),
                        caches,
                        null)
                : around(found, telemetry, caches, key);
    }

    private @Nullable Object call(Method method, @Nullable Object[] given) throws Exception {
        return result(method, handle, given);
    }

    public static @Nullable Object result(Method method, Object object, @Nullable Object[] given) throws Exception {
        try {
            return method.invoke(object, given);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }
}
