// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/** What cache writers and loaders need of a database: rows, one at a time. */
public abstract class Rows implements CacheWriter<String, String>, CacheLoader<String, String> {
    /** Writes a row. */
    public abstract void put(String key, String value);

    /** Deletes a row. */
    public abstract void remove(String key);

    @Override
    public abstract @Nullable String load(String key);

    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
        put(entry.getKey(), entry.getValue());
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
        remove((String) key);
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
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
        Map<String, String> loaded = new HashMap<>();
        keys.forEach(key -> {
            String found = load(key);
            if (found != null) {
                loaded.put(key, found);
            }
        });
        return loaded;
    }
}
