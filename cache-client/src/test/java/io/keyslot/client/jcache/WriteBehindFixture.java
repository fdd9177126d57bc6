// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Changes that are written behind, on a manual clock, by a scripted writer on the test's thread. */
final class WriteBehindFixture implements CacheTelemetry {
    static final Duration DELAY = Duration.ofSeconds(1);
    static final WriteBehindOptions OPTIONS = WriteBehindOptions.defaults().withDelay(DELAY);
    /** As long as any pause between two attempts. */
    static final Duration LONGEST_PAUSE = ChangeQueue.LONGEST_PAUSE;

    final ManualTime time = new ManualTime(1);
    final ScriptedWriter writer = new ScriptedWriter();
    final WriteBehind<String, String> behind;
    IntSupplier queued = () -> 0;
    LongSupplier written = () -> 0;
    LongSupplier retried = () -> 0;
    LongSupplier dropped = () -> 0;
    private final KeyCodec<String> keys;
    private final ValueCoder<String> coder;

    WriteBehindFixture(WriteBehindOptions options) {
        this(options, Runnable::run);
    }

    WriteBehindFixture(WriteBehindOptions options, Executor pool) {
        ClassLoader loader = WriteBehindFixture.class.getClassLoader();
        AllowedClasses all = AllowedClasses.everything();
        keys = KeyCodec.create(
                new KeyCodec.KeySpace("", "customer", null),
                String.class,
                loader,
                all,
                Codecs.ofKeys("kryo", all, loader));
        @SuppressWarnings("unchecked") // a named codec handles the cache's value type
        Codec<String> codec = (Codec<String>) Codecs.create("kryo", String.class, all, loader);
        coder = new ValueCoder<>("customer", codec, EntryLimits.defaults(), new StampSource(new Random(1)), null);
        behind = new WriteBehind<>(
                "customer",
                options,
                new WriteThrough<>(writer),
                keys,
                coder,
                written -> {},
                outdated -> writer.outdated(outdated.stream().map(keys::decode).toList()),
                pool,
                new ImpatientWaiter(),
                time.timing());
        behind.show(this);
    }

    @Override
    public void showWriteBehind(IntSupplier queued, LongSupplier written, LongSupplier retried, LongSupplier lost) {
        this.queued = queued;
        this.written = written;
        this.retried = retried;
        this.dropped = lost;
    }

    void put(String key, String value) {
        change(key, value);
    }

    void delete(String key) {
        change(key, null);
    }

    private void change(String key, @Nullable String value) {
        try (OutboxEntry place = reserve(key)) {
            fill(place, key, value, false);
        }
    }

    /** Takes places without waiting. */
    OutboxEntry reserve(String... wanted) {
        return behind.reserveAll(
                Arrays.stream(wanted).map(keys::encode).toList(),
                new CallBudget("put", time.timing().ticker(), Duration.ZERO));
    }

    void fill(OutboxEntry place, String key, @Nullable String value, boolean unsure) {
        place.fill(keys.encode(key), value == null ? null : coder.encode(keys.encode(key), value, 0), unsure);
    }

    boolean isPending(String key) {
        return Objects.nonNull(behind.pending(key));
    }

    void passDelay() {
        time.advance(DELAY);
    }
}
