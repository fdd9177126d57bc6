// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static io.keyslot.client.jcache.SettableExpiry.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What synchronous listeners hear, and when. */
public abstract class EventConformance extends JCacheConformance {
    private final RecordingListener<String, String> listener = new RecordingListener<>();

    @Test
    void everyChange_isToldBeforeTheCallReturns() {
        Cache<String, String> cache = createWith(listener);
        cache.put("k", "1");
        assertThat(listener.takeEvents()).containsExactly("CREATED k=1");
        cache.put("k", "2");
        assertThat(listener.takeEvents()).containsExactly("UPDATED k=2 was 1");
        cache.getAndPut("k", "3");
        assertThat(listener.takeEvents()).containsExactly("UPDATED k=3 was 2");
        cache.replace("k", "4");
        assertThat(listener.takeEvents()).containsExactly("UPDATED k=4 was 3");
        cache.replace("k", "4", "5");
        assertThat(listener.takeEvents()).containsExactly("UPDATED k=5 was 4");
        cache.getAndReplace("k", "6");
        assertThat(listener.takeEvents()).containsExactly("UPDATED k=6 was 5");
        cache.remove("k");
        assertThat(listener.takeEvents()).containsExactly("REMOVED k=6");
    }

    @Test
    void whatChangesNothing_isNotTold() {
        Cache<String, String> cache = createWith(listener);
        cache.put("k", "v");
        listener.takeEvents();
        cache.putIfAbsent("k", "w");
        cache.replace("k", "wrong", "w");
        cache.remove("k", "wrong");
        cache.remove("absent");
        cache.replace("absent", "w");
        cache.getAndRemove("absent");
        cache.getAndReplace("absent", "w");
        cache.removeAll(Set.of("absent"));
        cache.get("k");
        cache.iterator().next();
        assertThat(listener.takeEvents()).isEmpty();
    }

    @Test
    void removedEvent_hasTheOldValue() {
        List<String> oldValues = new ArrayList<>();
        Cache<String, String> cache =
                createWith(new RecordingListener<>(event -> oldValues.add(event.isOldValueAvailable() + " "
                        + (event.getEventType() == EventType.REMOVED ? event.getOldValue() : ""))));
        cache.put("k", "v");
        cache.remove("k");
        assertThat(oldValues.get(1)).isEqualTo("true v");
    }

    @Test
    void event_namesItsCacheAndType() {
        List<Object> sources = new ArrayList<>();
        Cache<String, String> cache = createWith(new RecordingListener<>(event -> sources.add(event.getSource())));
        cache.put("k", "v");
        assertThat(sources).containsExactly(cache);
    }

    @Test
    void creationWithZeroExpiry_isNotTold() {
        SettableExpiry never = new SettableExpiry().onCreation(() -> Duration.ZERO);
        Cache<String, String> cache = create(strings()
                .setExpiryPolicyFactory(() -> never)
                .addCacheEntryListenerConfiguration(listener.synchronous()));
        cache.put("k", "v");
        assertThat(listener.takeEvents()).isEmpty();
    }

    @Test
    void expiredEntry_isToldAtMostOnceAndNeverAsRemoved() {
        Cache<String, String> cache = create(strings()
                .setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(millis(50)))
                .addCacheEntryListenerConfiguration(listener.synchronous()));
        cache.put("k", "v");
        listener.takeEvents();
        await("expiry of the entry").until(() -> cache.get("k") == null);
        cache.remove("k");
        cache.removeAll(Set.of("k"));
        cache.removeAll();
        cache.put("k", "w");
        List<String> events = new ArrayList<>(listener.takeEvents());
        assertThat(events).endsWith("CREATED k=w");
        events.remove(events.size() - 1);
        assertThat(events).hasSizeLessThanOrEqualTo(1).allMatch(event -> event.startsWith("EXPIRED k="));
    }

    @Test
    void exceptionOfASynchronousListener_reachesTheCallerAndTheStoreStaysChanged() {
        RuntimeException failure = new IllegalStateException("of the listener");
        Cache<String, String> cache = createWith(new RecordingListener<>(event -> {
            throw failure;
        }));
        assertThatThrownBy(() -> cache.put("k", "v"))
                .isInstanceOf(CacheEntryListenerException.class)
                .hasCause(failure);
        assertThat(cache.get("k")).isEqualTo("v");
    }

    @Test
    void listenerException_isNotWrappedAgain() {
        CacheEntryListenerException failure = new CacheEntryListenerException("of the listener");
        Cache<String, String> cache = createWith(new RecordingListener<>(event -> {
            throw failure;
        }));
        assertThatThrownBy(() -> cache.put("k", "v")).isSameAs(failure);
    }

    @Test
    void eventsOfAKey_areToldInTheOrderOfItsChanges() throws InterruptedException {
        Cache<String, String> cache = createWith(listener);
        cache.put("k", "start");
        Threads.run(4, thread -> IntStream.range(0, 50).forEach(i -> cache.put("k", thread + "-" + i)));

        String expected = "start";
        for (String event : listener.events().subList(1, 201)) {
            // UPDATED k=<new> was <old>
            assertThat(event)
                    .as("each event's old value is the new one of the event before")
                    .endsWith(" was " + expected);
            expected = event.substring("UPDATED k=".length(), event.indexOf(" was "));
        }
        assertThat(cache.get("k")).isEqualTo(expected);
    }

    @Test
    void listener_mayCallTheCacheForAnotherKey() {
        Cache<String, String> cache = createWith(new RecordingListener<>(event -> {
            if (event.getKey().equals("k")) {
                sourceOf(event).put("copy", event.getValue());
            }
        }));
        cache.put("k", "v");
        assertThat(cache.get("copy")).isEqualTo("v");
    }

    @Test
    void listener_mayCallTheCacheForTheSameKey() {
        List<@Nullable String> seen = new ArrayList<>();
        Cache<String, String> cache = createWith(
                new RecordingListener<>(event -> seen.add(sourceOf(event).get(event.getKey()))));
        cache.put("k", "v");
        assertThat(seen).containsExactly("v");
    }

    @Test
    void sameListenerTwice_isRejected() {
        Factory<CacheEntryListener<String, String>> factory = () -> listener;
        Cache<String, String> cache = createStrings();
        cache.registerCacheEntryListener(configurationOf(factory));
        assertThatThrownBy(() -> cache.registerCacheEntryListener(configurationOf(factory)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void valuesOfEvents_belongToOneListenerAlone() {
        RecordingListener<String, List<String>> first =
                new RecordingListener<String, List<String>>(EventConformance::changeValues);
        RecordingListener<String, List<String>> second =
                new RecordingListener<String, List<String>>(EventConformance::changeValues);
        Cache<String, List<String>> cache = create(new MutableConfiguration<String, List<String>>()
                .addCacheEntryListenerConfiguration(first.synchronous())
                .addCacheEntryListenerConfiguration(second.synchronous()));
        cache.put("k", new ArrayList<>(List.of("1")));
        List<String> stored = new ArrayList<>(List.of("2"));
        List<String> old = cache.getAndPut("k", stored);
        assertThat(first.takeEvents()).containsExactly("CREATED k=[1]", "UPDATED k=[2] was [1]");
        assertThat(second.takeEvents()).containsExactly("CREATED k=[1]", "UPDATED k=[2] was [1]");
        assertThat(old).containsExactly("1");
        assertThat(stored).containsExactly("2");
    }

    private static void changeValues(CacheEntryEvent<? extends String, ? extends List<String>> event) {
        event.getValue().add("changed by a listener");
        if (event.isOldValueAvailable()) {
            event.getOldValue().add("changed by a listener");
        }
    }

    @Test
    void loadedEntries_areToldAsCreated() {
        Cache<String, String> cache = create(strings()
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> MapLoader.<String, String>answering(key -> "loaded"))
                .addCacheEntryListenerConfiguration(listener.synchronous()));
        cache.get("a");
        cache.getAll(Set.of("b"));
        assertThat(listener.takeEvents()).containsExactly("CREATED a=loaded", "CREATED b=loaded");
    }

    @Test
    void invoke_tellsTheNetEffect() {
        Cache<String, String> cache = createWith(listener);
        cache.<@Nullable Void>invoke("k", (entry, arguments) -> {
            entry.setValue("1");
            entry.remove();
            return null;
        });
        assertThat(listener.takeEvents()).isEmpty();
        cache.<@Nullable Void>invoke("k", (entry, arguments) -> {
            entry.setValue("1");
            entry.setValue("2");
            return null;
        });
        assertThat(listener.takeEvents()).containsExactly("CREATED k=2");
        cache.<@Nullable Void>invoke("k", (entry, arguments) -> {
            entry.remove();
            entry.setValue("3");
            return null;
        });
        assertThat(listener.takeEvents()).containsExactly("UPDATED k=3 was 2");
    }

    private Cache<String, String> createWith(RecordingListener<String, String> synchronousListener) {
        return create(strings().addCacheEntryListenerConfiguration(synchronousListener.synchronous()));
    }

    private static CacheEntryListenerConfiguration<String, String> configurationOf(
            Factory<CacheEntryListener<String, String>> factory) {
        return new MutableCacheEntryListenerConfiguration<>(factory, null, true, true);
    }

    @SuppressWarnings("unchecked")
    private static Cache<String, String> sourceOf(CacheEntryEvent<? extends String, ? extends String> event) {
        return event.getSource();
    }
}
