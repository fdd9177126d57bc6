// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.GroupTransaction;
import io.keyslot.cache.GroupView;
import io.keyslot.cache.GroupWork;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.RemoteAggregate;
import io.keyslot.cache.RowRange;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.cache.queue.QueueMessage;
import io.keyslot.cache.queue.SendOptions;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.telemetry.convention.CallContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.cache.integration.CompletionListener;
import javax.cache.integration.CompletionListenerFuture;
import javax.cache.processor.EntryProcessor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Calls each public method of caches, groups, transactions and their handles, and counts the observations. A method that is
 * added is called, too: it is observed, or stands here by name with the reason why it is not.
 */
class EveryCallTest {
    private static final String ITSELF = "asks the cache about itself";
    private static final String LISTENERS = "listeners are told in the process";
    private static final String ITERATES = "calls the iterator, whose reads are calls";
    private static final String KNOWN = "answers without the partition";
    private static final String CALLS = "hands in what calls, and its calls are observed";

    /** What makes no observation, by the simple name of its type, and why. */
    private static final Map<String, String> EXCEPTIONS = exceptions();

    private static Map<String, String> exceptions() {
        Map<String, String> reasons = new HashMap<>();
        List.of("getName", "getCacheManager", "getConfiguration", "unwrap", "isClosed", "close")
                .forEach(name -> reasons.put("PartitionedCache." + name, ITSELF));
        reasons.put("PartitionedCache.registerCacheEntryListener", LISTENERS);
        reasons.put("PartitionedCache.deregisterCacheEntryListener", LISTENERS);
        reasons.put("PartitionedCache.subscribe", LISTENERS);
        List.of("iterator", "forEach", "spliterator")
                .forEach(name -> reasons.put("PartitionedCache." + name, ITERATES));
        List.of("CacheGroup.root", "CacheGroup.slot", "CacheGroup.partition", "GroupTransaction.root")
                .forEach(name -> reasons.put(name, KNOWN));
        reasons.put("CacheGroup.async", CALLS);
        List.of("RemoteHash", "RemoteList", "RemoteSet", "RemoteSortedSet", "RemoteCounter")
                .forEach(type -> {
                    reasons.put(type + ".key", KNOWN);
                    reasons.put(type + ".async", CALLS);
                });
        List.of("PartitionedQueue.name", "QueueMessage.value", "QueueMessage.session", "QueueMessage.deliveries")
                .forEach(name -> reasons.put(name, KNOWN));
        reasons.put("Held.token", KNOWN);
        reasons.put("Held.isHeld", KNOWN);
        return Map.copyOf(reasons);
    }

    private final List<CallContext> begun = new CopyOnWriteArrayList<>();
    private final List<CallContext> ended = new CopyOnWriteArrayList<>();

    @AutoClose
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    private final PartitionedCache<Long, Long> cache = cache();
    private final PartitionedCacheManager manager = cache.getCacheManager();

    private PartitionedCache<Long, Long> cache() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new ObservationHandler<CallContext>() {
            @Override
            public void onStart(CallContext context) {
                begun.add(context);
            }

            @Override
            public void onStop(CallContext context) {
                ended.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return context instanceof CallContext;
            }
        });
        Properties properties = new Properties();
        properties.put(Telemetry.OBSERVATION_REGISTRY, registry);
        return (PartitionedCache<Long, Long>) provider.getCacheManager(null, null, properties)
                .createCache("numbers", new PartitionedConfiguration<Long, Long>().setTypes(Long.class, Long.class));
    }

    @TestFactory
    List<DynamicTest> everyCallOfACache() {
        return testsOf(PartitionedCache.class, cache, null);
    }

    @TestFactory
    List<DynamicTest> groupAndItsHandles() {
        List<DynamicTest> tests = new ArrayList<>();
        for (CacheGroup group : List.of(manager.group(EntityKey.of("root", 1)), cache.group(1L))) {
            tests.addAll(testsOf(CacheGroup.class, group, null));
            handlesOf(group).forEach((type, handle) -> tests.addAll(testsOf(type, handle, null)));
            tests.addAll(testsOf(GroupLock.class, group.lock(), null));
        }
        return tests;
    }

    @TestFactory
    List<DynamicTest> lockThatIsHeld() {
        GroupLock.Held held = manager.group(EntityKey.of("root", 1))
                .lock()
                .tryLock(Duration.ofSeconds(1), Duration.ofSeconds(30))
                .orElseThrow();
        return testsOf(GroupLock.Held.class, held, null).stream()
                .sorted(Comparator.comparing(test -> test.getDisplayName().contains(".close")))
                .toList();
    }

    @TestFactory
    List<DynamicTest> queueAndItsMessages() {
        PartitionedQueue<Long> queue = manager.queue("a", Long.class);
        queue.send(1L);
        QueueMessage<Long> message = queue.receive(Duration.ZERO).orElseThrow();
        List<DynamicTest> tests = new ArrayList<>(testsOf(PartitionedQueue.class, queue, null));
        tests.addAll(testsOf(QueueMessage.class, message, null));
        return tests;
    }

    @Test
    void transactionAndItsHandles() {
        CacheGroup group = manager.group(EntityKey.of("root", 1));
        List<Consumer<CacheGroup>> ways = List.of(
                each -> each.transactWithoutResult(this::callEverything),
                each -> Objects.requireNonNull(each.transact(this::called)),
                each -> Objects.requireNonNull(each.async(itself -> itself.transact(this::called))
                        .toCompletableFuture()
                        .join()));
        for (Consumer<CacheGroup> way : ways) {
            begun.clear();
            way.accept(group);
            assertThat(begun).hasSizeGreaterThan(50);
            assertThat(begun.stream().filter(call -> callAround(call) == null)).hasSize(1);
        }
    }

    private boolean called(GroupTransaction transaction) {
        callEverything(transaction);
        return true;
    }

    private void callEverything(GroupTransaction transaction) {
        CallContext around = begun.get(begun.size() - 1);
        List<DynamicTest> tests = new ArrayList<>(testsOf(GroupTransaction.class, transaction, around));
        handlesOf(transaction).forEach((type, handle) -> tests.addAll(testsOf(type, handle, around)));
        for (DynamicTest test : tests) {
            try {
                test.getExecutable().execute();
            } catch (Throwable e) {
                throw new AssertionError(test.getDisplayName(), e);
            }
        }
    }

    @Test
    void exceptions_areMethodsThatThereAre() {
        Set<String> methods = new HashSet<>();
        List<Class<?>> types = new ArrayList<>(ObservedHandles.HANDLES.stream()
                .<Class<?>>map(ObservedHandles.Handle::type)
                .toList());
        types.add(PartitionedCache.class);
        types.forEach(type -> methodsOf(type).forEach(method -> methods.add(nameOf(type, method))));

        assertThat(methods).containsAll(EXCEPTIONS.keySet());
    }

    @Test
    void handles_areWhatGroupsGive() {
        assertThat(ObservedHandles.HANDLES.stream().map(ObservedHandles.Handle::type))
                .containsAll(handlesOf(manager.group(EntityKey.of("root", 1))).keySet());
    }

    @Test
    void iterator_isACallEachTimeThatItAsks() {
        for (long key = 0; key < 1_000; key++) {
            cache.put(key, key);
        }
        ended.clear();
        int seen = 0;
        for (var entry : cache) {
            seen += entry.getValue() >= 0 ? 1 : 0;
        }
        assertThat(seen).isEqualTo(1_000);
        assertThat(ended).extracting(CallContext::operation).containsOnly("iterator");
        assertThat(ended).hasSizeBetween(2, 200);

        var iterator = cache.iterator();
        iterator.next();
        ended.clear();
        iterator.remove();
        assertThat(ended).extracting(CallContext::operation).containsExactly("remove");
    }

    @Test
    void groupsAreNamedByTheirRoot_andEntriesByTheirCache() {
        CacheGroup group = cache.group(1L);

        group.counter("visits").incrementAndGet();
        Long found = cache.get(1L);

        assertThat(found).isNull();
        assertThat(ended)
                .extracting(call -> call.cache() + " " + call.operation() + " " + call.outcome() + " " + call.key())
                .containsExactly("numbers counter.incrementAndGet DONE " + group.root(), "numbers get MISS 1");
        assertThat(Set.of(group))
                .as("a set finds it, and takes no other one for it")
                .contains(group)
                .doesNotContain(cache.group(1L));
    }

    private Map<Class<?>, Object> handlesOf(GroupView view) {
        Map<Class<?>, Object> handles = new LinkedHashMap<>();
        for (Method method : methodsOf(view instanceof CacheGroup ? CacheGroup.class : GroupTransaction.class)) {
            Class<?> type = method.getReturnType();
            if (isHandle(type) && type != GroupLock.class) {
                handles.put(type, Objects.requireNonNull(result(method, view)));
            }
        }
        if (view instanceof CacheGroup group) { // no transaction gives ranges
            handles.put(RowRange.class, group.rows("a", Long.class).limit(10));
        }
        return handles;
    }

    private static List<Method> methodsOf(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isBridge())
                .sorted(Comparator.comparing(Method::toGenericString))
                .toList();
    }

    private static String nameOf(Class<?> type, Method method) {
        return type.getSimpleName() + "." + method.getName();
    }

    private static @Nullable CallContext callAround(CallContext call) {
        ObservationView parent = call.getParentObservation();
        return parent != null && parent.getContextView() instanceof CallContext around ? around : null;
    }

    private List<DynamicTest> testsOf(Class<?> type, Object target, @Nullable CallContext around) {
        return methodsOf(type).stream()
                .filter(method -> !EXCEPTIONS.containsKey(nameOf(type, method)))
                .map(method -> DynamicTest.dynamicTest(
                        nameOf(type, method)
                                + Arrays.stream(method.getParameterTypes())
                                        .map(Class::getSimpleName)
                                        .collect(Collectors.joining(",", "(", ")")),
                        () -> check(method, target, around)))
                .toList();
    }

    private void check(Method method, Object target, @Nullable CallContext around) {
        int before = begun.size();
        int endedBefore = ended.size();

        Object result = result(method, target);

        List<CallContext> calls = begun.subList(before, begun.size()).stream()
                .filter(call -> Objects.equals(callAround(call), around))
                .toList();
        if (isHandle(method.getReturnType())) {
            assertThat(calls).as("a handle is no call").isEmpty();
            assertThat(result instanceof Exception
                            || Proxy.isProxyClass(Objects.requireNonNull(result).getClass()))
                    .as("observed, or not to be had here")
                    .isTrue();
        } else {
            assertThat(calls).as("calls of %s", method).hasSize(1);
            assertThat(ended.subList(endedBefore, ended.size())).as("has ended").contains(calls.get(0));
            assertThat(calls.get(0).operation()).contains(method.getName().replace("Async", ""));
        }
    }

    private static boolean isHandle(Class<?> type) {
        return type.equals(RemoteAggregate.class)
                || ObservedHandles.HANDLES.stream().anyMatch(each -> each.type().equals(type));
    }

    /** Calls a method; what it throws is its answer, as some of the arguments are not what it wants. */
    private @Nullable Object result(Method method, Object target) {
        CompletionListenerFuture loaded = new CompletionListenerFuture();
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(type -> type.equals(CompletionListener.class) ? loaded : argument(type, target))
                .toArray();
        try {
            Object result = method.invoke(target, arguments);
            if (Arrays.asList(arguments).contains(loaded)) {
                loaded.get();
            }
            return result instanceof CompletionStage<?> stage
                    ? stage.toCompletableFuture().join()
                    : result;
        } catch (InvocationTargetException | CompletionException e) {
            return e.getCause();
        } catch (ReflectiveOperationException | InterruptedException | ExecutionException e) {
            throw new AssertionError(method.toString(), e);
        }
    }

    private Object argument(Class<?> type, Object target) {
        Map<Class<?>, Object> values = new HashMap<>();
        values.put(Object.class, 1L);
        values.put(String.class, "a");
        values.put(Class.class, Long.class);
        EntityKey root = EntityKey.of("a");
        values.put(EntityKey.class, target instanceof GroupView group ? root.in(group.root()) : root);
        values.put(int.class, 1);
        values.put(long.class, 1L);
        values.put(double.class, 1.0);
        values.put(boolean.class, false);
        values.put(Set.class, Set.of(1L));
        values.put(Collection.class, Set.of(1L));
        values.put(Map.class, Map.of(1L, 1L));
        values.put(Duration.class, Duration.ofMillis(5));
        values.put(Object[].class, new Object[0]);
        values.put(PartitionedCache.class, cache);
        values.put(SendOptions.class, SendOptions.inSession("s"));
        values.put(ScanOptions.class, ScanOptions.defaults());
        values.put(Predicate.class, (Predicate<Object>) entry -> true);
        values.put(Comparator.class, Comparator.comparingInt(Object::hashCode));
        values.put(Consumer.class, (Consumer<Object>) given -> {});
        values.put(Function.class, (Function<Object, Object>) given -> 1);
        values.put(GroupWork.class, (GroupWork<Integer>) transaction -> 1);
        values.put(EntryProcessor.class, (EntryProcessor<Long, Long, Integer>) (entry, arguments) -> 1);
        return Optional.ofNullable(values.get(type))
                .orElseThrow(() -> new AssertionError("This test does not know how to give a %s".formatted(type)));
    }
}
