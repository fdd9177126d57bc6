// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.jcache.MapLoader;
import io.keyslot.client.jcache.RecordingWriter;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.key.KeySpace;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is queued when the cache changes, refuses, or does not say; and what a loader answers meanwhile. */
class QueuedWriterTest {
    private final ManualTime time = new ManualTime(1);
    private final List<EncodedKey> forgotten = new ArrayList<>();
    private final Waiter waiter = new SystemWaiter();
    private final RecordingWriter<String, String> database = new RecordingWriter<>();
    private final KeyCodec<String> keys = KeyCodec.create(
            new KeySpace("", "texts", null),
            String.class,
            loader(),
            AllowedClasses.everything(),
            Codecs.ofKeys("kryo", AllowedClasses.everything(), loader()));
    private final ValueCoder<String> coder = coder();
    private final QueuedWriter<String, String> writer = new QueuedWriter<>(
            "texts",
            WriteBehindOptions.defaults(),
            new WriteThrough<>(database),
            keys,
            coder,
            written -> {},
            forgotten::addAll,
            Runnable::run,
            waiter,
            time.timing());

    private static ClassLoader loader() {
        return QueuedWriterTest.class.getClassLoader();
    }

    @SuppressWarnings("unchecked") // the codec of the type that was asked for
    private static ValueCoder<String> coder() {
        Codec<String> codec =
                (Codec<String>) Codecs.create("string", String.class, AllowedClasses.everything(), loader());
        return new ValueCoder<>("texts", codec, EntryLimits.defaults(), new StampSource(new Random(1)));
    }

    private CallBudget budget() {
        return new CallBudget("put", time.ticker(), Duration.ZERO);
    }

    /** Takes a place, waits for the turn, and says what became of the change. */
    private void handOver(String key, @Nullable String value, @Nullable KeyslotException problem) {
        try (OutboxEntry<EncodedKey, Envelope> outboxEntry = writer.reserve(keys.encode(key), budget())) {
            outboxEntry.begin();
            outboxEntry.settle(keys.encode(key), value == null ? null : coder.encode(value, 0), problem);
        }
    }

    private void putNow(String key, String value) {
        handOver(key, value, null);
    }

    private void deleteNow(String key) {
        handOver(key, null, null);
    }

    private void assertWritten(String... writes) {
        assertThat(writer.flush(Duration.ZERO)).isTrue();
        assertThat(database.takeWrites()).containsExactly(writes);
        assertThat(queued()).isZero();
    }

    private int queued() {
        AtomicInteger queued = new AtomicInteger(-1);
        writer.show(new CacheTelemetry() {
            @Override
            public void showWriteBehind(
                    IntSupplier now, LongSupplier written, LongSupplier retried, LongSupplier lost) {
                queued.set(now.getAsInt());
            }
        });
        return queued.get();
    }

    @Nested
    class One {
        @Test
        void changeThatTheCacheMade_isQueued() {
            putNow("a", "1");
            assertThat(database.takeWrites()).isEmpty();
            assertWritten("write a=1");
        }

        @Test
        void changeThatCameTooLate_isNotQueued() {
            try (OutboxEntry<EncodedKey, Envelope> outboxEntry = writer.reserve(keys.encode("a"), budget())) {
                outboxEntry.begin();
            }
            assertWritten();
        }

        @Test
        void changeThatTheCacheRefused_isNotQueued() {
            handOver("a", "1", new PartitionUnavailableException("missing"));
            assertWritten();
        }

        @Test
        void changeWhoseOutcomeIsUnknown_isQueued() {
            handOver("a", "1", new OutcomeUnknownException("unknown"));
            assertWritten("write a=1");
            assertThat(forgotten).containsExactly(keys.encode("a"));
        }

        @Test
        void errorWhileTheCacheIsChanged_givesThePlaceBack() {
            AssertionError error = new AssertionError("of the test");
            assertThatThrownBy(() -> {
                        try (OutboxEntry<EncodedKey, Envelope> outboxEntry =
                                writer.reserve(keys.encode("a"), budget())) {
                            outboxEntry.begin();
                            throw error;
                        }
                    })
                    .isSameAs(error);
            assertWritten();
        }
    }

    @Nested
    class GoOn {
        @Test
        void changeThatTheCacheCouldNotMake_isQueued_andTheCopyDeletedOnceItIsWritten() {
            writer.goOn(keys.encode("a"), "1", budget());
            writer.goOn(keys.encode("b"), null, budget());
            assertThat(forgotten).isEmpty();
            assertWritten("write a=1", "delete b");
            assertThat(forgotten).containsExactly(keys.encode("a"), keys.encode("b"));
        }
    }

    @Nested
    class Many {
        @Test
        void onlyWhatTheCacheMadeOrMayHaveMade_isQueued() {
            List<EncodedKey> all = Stream.of("done", "refused", "unknown", "missing")
                    .map(keys::encode)
                    .toList();
            List<@Nullable KeyslotException> problems = Arrays.asList(
                    null,
                    new PartitionUnavailableException("missing"),
                    new OutcomeUnknownException("unknown"),
                    new PartitionUnavailableException("missing"));
            try (OutboxEntry<EncodedKey, Envelope> outboxEntry = writer.reserveAll(all, budget())) {
                outboxEntry.begin();
                for (int i = 0; i < all.size(); i++) {
                    outboxEntry.settle(all.get(i), coder.encode("1", 0), problems.get(i));
                }
            }
            assertWritten("write done=1", "write unknown=1");
            assertThat(forgotten).containsExactly(keys.encode("unknown"));
        }

        @Test
        void keyThatComesTwice_takesOnePlace() {
            EncodedKey key = keys.encode("a");
            try (OutboxEntry<EncodedKey, Envelope> outboxEntry = writer.reserveAll(List.of(key, key), budget())) {
                outboxEntry.begin();
                outboxEntry.settle(key, null, null);
            }
            assertWritten("delete a");
        }

        @Test
        void changeOfOneOfMany_takesAnotherPlaceOfItsOwn() {
            try (OutboxEntry<EncodedKey, Envelope> all =
                    writer.reserveAll(List.of(keys.encode("a"), keys.encode("b")), budget())) {
                putNow("a", "1");
            }
            assertWritten("write a=1");
        }
    }

    @Nested
    class Aware {
        private final MapLoader<String, String> behind = MapLoader.answering(key -> "old");
        private final CacheLoader<String, String> aware = Objects.requireNonNull(writer.aware(behind));

        @Test
        void cacheWithoutALoader_getsNone() {
            assertThat(writer.aware(null)).isNull();
        }

        @Test
        void load_answersWhatWaits_withoutLoading() {
            putNow("a", "new");
            deleteNow("b");

            assertThat(aware.load("a")).isEqualTo("new");
            assertThat(aware.load("b")).isNull();
            assertThat(behind.takeAsked()).isEmpty();
            assertThat(aware.load("c")).isEqualTo("old");
        }

        @Test
        void changeThatComesWhileTheLoaderRuns_isTheAnswer() {
            MapLoader<String, String> slow = MapLoader.answering(key -> {
                putNow(key, "new");
                return "old";
            });
            CacheLoader<String, String> ofSlow = Objects.requireNonNull(writer.aware(slow));

            assertThat(ofSlow.load("a")).isEqualTo("new");
            assertThat(ofSlow.loadAll(Set.of("b"))).containsExactly(Map.entry("b", "new"));
        }

        @Test
        void loadAll_loadsOnlyWhatDoesNotWait() {
            putNow("a", "new");
            deleteNow("b");

            assertThat(aware.loadAll(Set.of("a", "b", "c"))).isEqualTo(Map.of("a", "new", "c", "old"));
            assertThat(behind.takeAsked()).containsExactly("c");
        }
    }
}
