// SPDX-License-Identifier: Apache-2.0
package io.keyslot.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.RemoteCounter;
import io.keyslot.cache.RemoteHash;
import io.keyslot.cache.RemoteList;
import io.keyslot.cache.RemoteSet;
import io.keyslot.cache.RemoteSortedSet;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.cache.queue.QueueMessage;
import io.keyslot.cache.queue.SendOptions;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.PartitionFaults;
import io.keyslot.testkit.WriteRefusal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.cache.integration.CompletionListener;
import javax.cache.integration.CompletionListenerFuture;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever an operation sends, what it throws names the method that the application has called, and the partition with its
 * address. Runs every method of every interface that applications hold.
 */
class NamedOperationsTest {
    private static final String KEY = "k";
    private static final EntityKey ROOT = EntityKey.of("c", KEY);

    /** These are not called: the first one ends the cache, the others say what they know. */
    private static final Set<String> LEFT_OUT =
            Set.of("PartitionedCache.close", "PartitionedCache.explain", "PartitionedCache.flushWrites");

    /** By these names, nothing asks a partition, or not with the arguments of this test. */
    private static final Set<String> UNASKED = Set.of(
            "after",
            "async",
            "byElement",
            "counter",
            "deregisterCacheEntryListener",
            "deliveries",
            "descending",
            "expiringAfter",
            "from",
            "getCacheManager",
            "getConfiguration",
            "getName",
            "group",
            "hash",
            "isClosed",
            "key",
            "limit",
            "list",
            "loadAll",
            "lock",
            "name",
            "partition",
            "registerCacheEntryListener",
            "root",
            "rows",
            "session",
            "set",
            "slot",
            "sortedSet",
            "spliterator",
            "startingWith",
            "subscribe",
            "to",
            "unwrap",
            "value");

    /** What is only another word for another method. */
    private static final Map<String, String> SAME = Map.of(
            "forEach", "iterator",
            "transactWithoutResult", "transact",
            "offer", "addLast",
            "poll", "pollFirst",
            "push", "addFirst",
            "pop", "pollFirst",
            "incrementAndGet", "addAndGet",
            "decrementAndGet", "addAndGet");

    private final Set<String> named = new TreeSet<>();
    private final Set<String> silent = new TreeSet<>();
    private final List<String> wrong = new ArrayList<>();

    /** A method of something that the application holds. */
    private record Operation(Object target, Class<?> type, Method method) {
        /** An asynchronous form is named as the form that it runs. */
        String name() {
            String name = method.getName();
            String form = name.endsWith("Async") ? name.substring(0, name.length() - "Async".length()) : name;
            return SAME.getOrDefault(form, form);
        }

        @Override
        public String toString() {
            return type.getSimpleName() + "." + method.getName();
        }
    }

    @Test
    void missingPartition_everyOperationIsNamed() throws Exception {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            List<Operation> operations = operations(keyslot);
            keyslot.partitions().forEach(PartitionFaults::kill);

            runAll(keyslot, operations);
        }

        assertThat(wrong).isEmpty();
        silent.removeAll(named);
        assertThat(silent.stream()
                        .map(operation -> operation.substring(operation.indexOf('.') + 1))
                        .filter(name -> !UNASKED.contains(name)))
                .as("operations that asked a partition in vain and said nothing")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(WriteRefusal.class)
    void serverThatTakesNoWrites_everyWriteIsNamed(WriteRefusal refusal) throws Exception {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            List<Operation> operations = operations(keyslot);
            keyslot.partitions().forEach(partition -> partition.refuseWrites(refusal));

            runAll(keyslot, operations);
        }

        assertThat(wrong).isEmpty();
        assertThat(named).contains("PartitionedCache.getAndPut", "RemoteHash.putAll", "RemoteList.takeFirst");
    }

    private static List<Operation> operations(EmbeddedKeyslot keyslot) {
        PartitionedCacheManager manager = keyslot.cacheManager();
        PartitionedCache<String, String> cache = manager.createCache("c", configuration());
        cache.put(KEY, "v");
        CacheGroup group = manager.group(ROOT);
        PartitionedQueue<String> queue = manager.queue("q", String.class);
        queue.send("m");
        QueueMessage<String> message = queue.receive(Duration.ZERO).orElseThrow();
        return Stream.of(
                        of(cache, PartitionedCache.class),
                        of(group, CacheGroup.class),
                        of(group.rows("row", String.class), GroupRows.class),
                        of(group.hash("h", String.class, String.class), RemoteHash.class),
                        of(group.list("l", String.class), RemoteList.class),
                        of(group.set("s", String.class), RemoteSet.class),
                        of(group.sortedSet("z", String.class), RemoteSortedSet.class),
                        of(group.counter("n"), RemoteCounter.class),
                        of(group.lock(), GroupLock.class),
                        of(queue, PartitionedQueue.class),
                        of(message, QueueMessage.class))
                .flatMap(Function.identity())
                .toList();
    }

    private static PartitionedConfiguration<String, String> configuration() {
        return new PartitionedConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setMissingPartition(MissingPartitionPolicy.FAIL);
    }

    private static Stream<Operation> of(Object target, Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::toString))
                .map(method -> new Operation(target, type, method));
    }

    private void runAll(EmbeddedKeyslot keyslot, List<Operation> operations) throws Exception {
        for (Operation operation : operations) {
            if (LEFT_OUT.contains(operation.toString())) {
                continue;
            }
            KeyslotException failure = failureOf(keyslot, operation);
            if (failure == null) {
                silent.add(operation.toString());
                continue;
            }
            String said = String.valueOf(failure.getMessage());
            if (said.contains(": " + operation.name() + " ") && said.contains(" at embedded")) {
                named.add(operation.toString());
            } else {
                wrong.add(operation + ": " + said);
            }
        }
    }

    private static @Nullable KeyslotException failureOf(EmbeddedKeyslot keyslot, Operation operation) throws Exception {
        CompletionListenerFuture listener = new CompletionListenerFuture();
        try {
            Class<?>[] types = operation.method().getParameterTypes();
            @Nullable Object[] arguments = new @Nullable Object[types.length];
            for (int i = 0; i < types.length; i++) {
                arguments[i] = types[i] == int.class ? Integer.valueOf(i) : argument(types[i], operation, listener);
            }
            Object result = operation.method().invoke(operation.target(), arguments);
            finish(keyslot, result);
            return null;
        } catch (InvocationTargetException e) {
            return within(e.getCause());
        } catch (RuntimeException e) {
            return within(e);
        }
    }

    private static void finish(EmbeddedKeyslot keyslot, @Nullable Object result) {
        if (result instanceof CompletionStage<?> stage) {
            finish(keyslot, keyslot.await(stage));
        } else if (result instanceof Iterator<?> iterator) {
            while (iterator.hasNext()) {
                iterator.next();
            }
        } else if (result instanceof Map<?, ?> map) {
            map.values().forEach(value -> finish(keyslot, value));
        } else if (result instanceof EntryProcessorResult<?> processed) {
            processed.get();
        }
    }

    private static @Nullable KeyslotException within(@Nullable Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof KeyslotException found) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable Object argument(Class<?> type, Operation operation, CompletionListener listener) {
        if (type == long.class) {
            return 1L;
        }
        if (type == double.class) {
            return 1.0;
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == Duration.class) {
            return Duration.ofSeconds(1);
        }
        if (type == Set.class || type == Collection.class) {
            return Set.of(KEY);
        }
        if (type == Map.class) {
            return operation.type() == RemoteSortedSet.class ? Map.of(KEY, 1.0) : Map.of(KEY, "v");
        }
        if (type == EntryProcessor.class) {
            return (EntryProcessor<String, String, String>) (entry, arguments) -> {
                entry.setValue("new");
                return "result";
            };
        }
        if (type == GroupWork.class) {
            return (GroupWork<String>) transaction -> {
                transaction.counter("t").addAndGet(1);
                return "result";
            };
        }
        if (type == Consumer.class) {
            return (Consumer<GroupTransaction>)
                    transaction -> transaction.counter("t").addAndGet(1);
        }
        if (type == Predicate.class) {
            return (Predicate<Object>) any -> true;
        }
        if (type == CompletionListener.class) {
            return listener;
        }
        if (type == ScanOptions.class) {
            return ScanOptions.defaults();
        }
        if (type == SendOptions.class) {
            return SendOptions.NONE;
        }
        if (type == Object[].class) {
            return new Object[0];
        }
        if (type == Comparator.class) {
            return Comparator.comparing(Object::toString);
        }
        if (type == Class.class) {
            return String.class;
        }
        return type.isAssignableFrom(String.class) ? KEY : null;
    }
}
