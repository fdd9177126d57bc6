// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/** What a cache writer writes to and a loader reads. Safe for use by several threads. */
public final class Database implements CacheWriter<String, String>, CacheLoader<String, String> {
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

    Map<String, String> rows() {
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
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
        change(() -> rows.put(entry.getKey(), entry.getValue()));
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
        for (Iterator<Cache.Entry<? extends String, ? extends String>> rest = entries.iterator(); rest.hasNext(); ) {
            write(rest.next());
            rest.remove();
        }
    }

    @Override
    public void delete(Object key) {
        change(() -> rows.remove(key));
    }

    @Override
    public void deleteAll(Collection<?> keys) {
        List<Object> all = new ArrayList<>(keys);
        for (Object key : all) {
            delete(key);
            keys.remove(key);
        }
    }

    @Override
    public @Nullable String load(String key) {
        pause.run();
        String found = rows.get(key);
        pause.run();
        return found;
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
        Map<String, String> loaded = new ConcurrentHashMap<>();
        keys.forEach(key -> {
            String found = load(key);
            if (found != null) {
                loaded.put(key, found);
            }
        });
        return loaded;
    }
}
