// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.entry.ForgivingCalls;
import io.keyslot.client.health.PartitionObserver;
import io.keyslot.client.health.Transition;
import io.keyslot.client.health.TransitionCause;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.slot.PartitionId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** Loads a number for each key but 13. */
    private static final class Numbers implements CacheLoader<Long, Long> {
        @Override
        public Long load(Long key) {
            if (key == 13) {
                throw new CacheLoaderException("unlucky");
            }
            return key;
        }

        @Override
        public Map<Long, Long> loadAll(Iterable<? extends Long> keys) {
            return Map.of();
        }
    }

    @TempDir
    private Path folder;

    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    @AfterEach
    void close() {
        provider.close();
    }

    private Cache<Long, Long> cache() {
        PartitionedConfiguration<Long, Long> configuration =
                new PartitionedConfiguration<Long, Long>().setTypes(Long.class, Long.class);
        configuration.setReadThrough(true).setCacheLoaderFactory(Numbers::new);
        return provider.getCacheManager().createCache("numbers", configuration);
    }

    private List<RecordedEvent> ended(Recording recording) throws IOException {
        recording.stop();
        Path file = folder.resolve("events.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file);
    }

    @Test
    void loadsAndSlowCalls_areRecorded_alsoIfTheyFail() throws IOException {
        Cache<Long, Long> cache = cache();
        try (Recording recording = new Recording()) {
            recording.enable("keyslot.Load");
            recording.enable("keyslot.SlowCall").withThreshold(Duration.ZERO).withoutStackTrace();
            recording.start();

            cache.get(1L);
            assertThatThrownBy(() -> cache.get(13L)).isInstanceOf(CacheLoaderException.class);
            cache.put(2L, 2L);
            cache.unwrap(ForgivingCalls.class).clear();

            List<RecordedEvent> events = ended(recording);
            assertThat(events.stream()
                            .filter(event -> event.getEventType().getName().equals("keyslot.Load"))
                            .map(event -> event.getString("cache") + " " + event.getString("cause") + " "
                                    + event.getString("outcome") + " " + event.getString("manager")))
                    .containsExactly("numbers miss loaded keyslot", "numbers miss failed keyslot");
            assertThat(events.stream()
                            .filter(event -> event.getEventType().getName().equals("keyslot.SlowCall"))
                            .map(event -> event.getString("operation")))
                    .containsExactly("get", "get", "put", "clear");
            assertThat(events).allMatch(event -> event.getDuration().toNanos() > 0);
        }
    }

    @Test
    void callsThatAreNotSlow_areNotRecorded() throws IOException {
        Cache<Long, Long> cache = cache();
        try (Recording recording = new Recording()) {
            recording.disable("keyslot.Load");
            recording.enable("keyslot.SlowCall").withThreshold(LONG);
            recording.start();

            cache.get(1L);

            assertThat(ended(recording)).isEmpty();
        }
        assertThat(FlightEvents.of("shop").hasSlowCalls()).isFalse();
        assertThat(FlightEvents.of("shop").begin("numbers", "get")).isNull();
    }

    @Test
    void outage_isOneEvent_fromItsBeginToTheReturn() throws IOException {
        PartitionId partition = new PartitionId("p1");
        PartitionObserver observer = FlightEvents.of("shop").partitions(PartitionObserver.NONE);
        try (Recording recording = new Recording()) {
            recording.enable("keyslot.PartitionOutage");
            recording.start();

            observer.onTransition(transition(partition, PartitionState.MISSING, PartitionState.PROBING));
            observer.onTransition(transition(partition, PartitionState.HEALTHY, PartitionState.SUSPECT));
            observer.onTransition(transition(partition, PartitionState.SUSPECT, PartitionState.MISSING));
            observer.onTransition(transition(partition, PartitionState.MISSING, PartitionState.PROBING));
            observer.onTransition(transition(partition, PartitionState.PROBING, PartitionState.MISSING));
            observer.onReturn(partition, Duration.ofSeconds(1));
            observer.onReturn(partition, Duration.ofSeconds(1));

            List<RecordedEvent> events = ended(recording);
            assertThat(events)
                    .extracting(event -> event.getString("manager") + " " + event.getString("partition") + " "
                            + event.getString("cause"))
                    .containsExactly("shop p1 silence");
        }
    }

    private static Transition transition(PartitionId partition, PartitionState from, PartitionState to) {
        return new Transition(partition, from, to, TransitionCause.SILENCE, Duration.ZERO);
    }
}
