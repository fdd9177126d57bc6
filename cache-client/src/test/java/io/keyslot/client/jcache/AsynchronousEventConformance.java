// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;

/** What asynchronous listeners hear, and where. */
public abstract class AsynchronousEventConformance extends JCacheConformance {
    @Test
    void asynchronousListener_isCalledOnAnotherThread() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Cache<String, String> cache = createWith(new RecordingListener<>(event -> threads.add(Thread.currentThread())));
        cache.put("k", "v");
        await("the event").until(() -> !threads.isEmpty());
        assertThat(threads).doesNotContain(Thread.currentThread());
    }

    @Test
    void callerDoesNotWait_forAnAsynchronousListener() {
        CountDownLatch released = new CountDownLatch(1);
        RecordingListener<String, String> listener = new RecordingListener<>(event -> Threads.await(released));
        Cache<String, String> cache = createWith(listener);
        cache.put("a", "v");
        cache.put("b", "v");
        assertThat(cache.get("b")).isEqualTo("v");
        released.countDown();
        await("both events").until(() -> listener.events().size() == 2);
    }

    @Test
    void exceptionOfAnAsynchronousListener_doesNotReachTheCallerNorEndTheEvents() {
        RecordingListener<String, String> listener = new RecordingListener<>(event -> {
            throw new IllegalStateException("of the listener");
        });
        Cache<String, String> cache = createWith(listener);
        cache.put("k", "1");
        cache.put("k", "2");
        await("both events").until(() -> listener.events().size() == 2);
        assertThat(cache.get("k")).isEqualTo("2");
    }

    @Test
    void eventsOfAKey_arriveInTheOrderOfItsChanges() {
        RecordingListener<String, String> listener = new RecordingListener<>();
        Cache<String, String> cache = createWith(listener);
        List<String> expected = IntStream.range(1, 100)
                .mapToObj(i -> "UPDATED k=" + i + " was " + (i - 1))
                .toList();
        IntStream.range(0, 100).forEach(i -> cache.put("k", Integer.toString(i)));
        await("all events")
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> listener.events().size() == 100);
        assertThat(listener.events().subList(1, 100)).isEqualTo(expected);
    }

    @Test
    void eventsBeyondTheBound_areDropped_andNoCallFails() {
        CountDownLatch released = new CountDownLatch(1);
        RecordingListener<String, String> listener = new RecordingListener<>(event -> Threads.await(released));
        Cache<String, String> cache = createWith(listener);
        for (int i = 0; i < 11; i++) {
            String value = Integer.toString(i);
            cache.putAll(IntStream.range(0, 1_000).boxed().collect(Collectors.toMap(key -> "k" + key, key -> value)));
        }
        released.countDown();
        await("what was not dropped").until(() -> listener.events().size() >= 10_000);
        cache.put("last", "v");
        await("the last event").until(() -> listener.events().contains("CREATED last=v"));
        assertThat(listener.events()).hasSizeBetween(10_001, 10_002);
    }

    @Test
    void valuesOfAnEvent_areNotThoseOfTheCaller_whoMayChangeThemMeanwhile() {
        CountDownLatch changed = new CountDownLatch(1);
        List<String> heard = new CopyOnWriteArrayList<>();
        RecordingListener<String, List<String>> listener = new RecordingListener<>(event -> {
            Threads.await(changed);
            heard.add(event.getValue() + " was " + (event.isOldValueAvailable() ? event.getOldValue() : "nothing"));
        });
        Cache<String, List<String>> cache = create(new MutableConfiguration<String, List<String>>()
                .addCacheEntryListenerConfiguration(listener.asynchronous()));
        List<String> one = new ArrayList<>(List.of("one"));
        List<String> two = new ArrayList<>(List.of("two"));
        cache.put("k", one);
        List<String> old = Objects.requireNonNull(cache.getAndPut("k", two));
        List.of(one, two, old).forEach(value -> value.add("changed by the caller"));
        changed.countDown();

        await("both events").until(() -> heard.size() == 2);
        assertThat(heard).containsExactly("[one] was nothing", "[two] was [one]");
    }

    private Cache<String, String> createWith(RecordingListener<String, String> listener) {
        return create(strings().addCacheEntryListenerConfiguration(listener.asynchronous()));
    }
}
