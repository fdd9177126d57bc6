// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.client.cache.ChangeQueue.PendingChange;
import io.keyslot.client.concurrent.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/** Changes that are written behind, on a manual clock, by a scripted writer on the test's thread. */
public final class WriteBehindFixture {
    static final Duration DELAY = Duration.ofSeconds(1);
    static final WriteBehindOptions OPTIONS = WriteBehindOptions.defaults().withDelay(DELAY);

    /** As long as any pause between two attempts. */
    static final Duration LONGEST_PAUSE = ChangeQueue.LONGEST_PAUSE;

    public final ManualTime time = new ManualTime(1);
    public final ScriptedWriter writer = new ScriptedWriter();
    public final WriteBehind<String, String> behind;

    WriteBehindFixture(WriteBehindOptions options) {
        this(options, Runnable::run);
    }

    WriteBehindFixture(WriteBehindOptions options, Executor pool) {
        behind = new WriteBehind<>("customer", options, writer, pool, new ImpatientWaiter(), time.timing());
    }

    void put(String key, String value) {
        change(key, new PendingChange<>(value));
    }

    void delete(String key) {
        change(key, new PendingChange<>(null));
    }

    private void change(String key, PendingChange<String> change) {
        try (OutboxEntry<String, String> place = reserve(key)) {
            place.fill(key, change);
        }
    }

    /** Takes places without waiting. */
    public OutboxEntry<String, String> reserve(String... keys) {
        return behind.reserve(List.of(keys), time.deadline(Duration.ZERO));
    }

    void passDelay() {
        time.advance(DELAY);
    }
}
