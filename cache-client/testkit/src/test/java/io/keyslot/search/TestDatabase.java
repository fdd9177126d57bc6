// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/** What is behind the caches of all processes. Others may go on before and after each thing it does. */
final class TestDatabase implements CacheLoader<Object, Date>, CacheWriter<Object, Date> {
    private static final int FAILS_ONCE_IN = 4;

    private final Map<String, Long> rows = new LinkedHashMap<>();
    private final Runnable yield;
    private final Random chance;
    private final boolean fails;

    TestDatabase(Runnable yield, Random chance, boolean fails) {
        this.yield = yield;
        this.chance = chance;
        this.fails = fails;
    }

    /** Returns what is there, without letting anybody else go on. */
    @Nullable
    Long row(String key) {
        return rows.get(key);
    }

    void setRow(String key, long value) {
        rows.put(key, value);
    }

    @Override
    public @Nullable Date load(Object key) {
        yield.run();
        Long found = rows.get(Form.nameOf(key));
        yield.run();
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
