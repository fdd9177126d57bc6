// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/** What a cache writer writes to and a loader reads. Safe for use by several threads. */
public final class Database extends Rows {
    private final Map<String, String> rows = new ConcurrentHashMap<>();
    private final Runnable pause;
    private final BooleanSupplier fails;

    /**
     * Creates an empty database.
     *
     * @param pause runs before and after each access
     * @param fails whether a write fails
     */
    public Database(Runnable pause, BooleanSupplier fails) {
        this.pause = pause;
        this.fails = fails;
    }

    /** Returns what is there. */
    public Map<String, String> rows() {
        return rows;
    }

    private void change(Runnable change) {
        pause.run();
        if (fails.getAsBoolean()) {
            throw new CacheWriterException("the database is not in the mood");
        }
        change.run();
        pause.run();
    }

    @Override
    public void put(String key, String value) {
        change(() -> rows.put(key, value));
    }

    @Override
    public void remove(String key) {
        change(() -> rows.remove(key));
    }

    @Override
    public @Nullable String load(String key) {
        pause.run();
        String found = rows.get(key);
        pause.run();
        return found;
    }
}
