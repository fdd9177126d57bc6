// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * What is behind the caches of all processes. Others may go on before and after each thing it does. It remembers all that it
 * was ever told to do, and loads nothing for a thread that is interrupted.
 */
final class TestDatabase implements CacheLoader<Object, Date>, CacheWriter<Object, Date> {
    private static final int FAILS_ONCE_IN = 4;

    private final Map<String, Long> rows = new LinkedHashMap<>();
    private final Set<Long> written = new HashSet<>();
    private final Set<String> deleted = new HashSet<>();
    private final Runnable yield;
    private final Runnable whileLoading;
    private final Random chance;
    private final boolean fails;

    /**
     * @param yield lets others go on
     * @param whileLoading lets others go on in the midst of a load
     */
    TestDatabase(Runnable yield, Runnable whileLoading, Random chance, boolean fails) {
        this.yield = yield;
        this.whileLoading = whileLoading;
        this.chance = chance;
        this.fails = fails;
    }

    /** Returns what is there, without letting anybody else go on. */
    @Nullable
    Long row(String key) {
        return rows.get(key);
    }

    /** Returns all values that were written, of all keys. */
    Set<Long> written() {
        return written;
    }

    /** Returns the keys that were deleted at least once. */
    Set<String> deleted() {
        return deleted;
    }

    void setRow(String key, long value) {
        rows.put(key, value);
    }

    @Override
    public @Nullable Date load(Object key) {
        yield.run();
        Long found = rows.get(Form.nameOf(key));
        whileLoading.run();
        if (Thread.currentThread().isInterrupted()) {
            throw new IllegalStateException("the thread was interrupted while it loaded");
        }
        return found == null ? null : Values.of(found);
    }

    @Override
    public Map<Object, Date> loadAll(Iterable<? extends Object> keys) {
        Map<Object, Date> found = new LinkedHashMap<>();
        for (Object key : keys) {
            Date value = load(key);
            if (value != null) {
                found.put(key, value);
            }
        }
        return found;
    }

    @Override
    public void write(Cache.Entry<? extends Object, ? extends Date> entry) {
        yield.run();
        mayFail();
        rows.put(Form.nameOf(entry.getKey()), Values.numberOf(entry.getValue()));
        written.add(Values.numberOf(entry.getValue()));
        yield.run();
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends Object, ? extends Date>> entries) {
        for (var remaining = entries.iterator(); remaining.hasNext(); ) {
            write(remaining.next());
            remaining.remove();
        }
    }

    @Override
    public void delete(Object key) {
        yield.run();
        mayFail();
        rows.remove(Form.nameOf(key));
        deleted.add(Form.nameOf(key));
        yield.run();
    }

    @Override
    public void deleteAll(Collection<?> keys) {
        for (var remaining = keys.iterator(); remaining.hasNext(); ) {
            delete(remaining.next());
            remaining.remove();
        }
    }

    private void mayFail() {
        if (fails && chance.nextInt(FAILS_ONCE_IN) == 0) {
            throw new CacheWriterException("the database fails");
        }
    }
}
