// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;

/**
 * A writer that keeps what it is given as text, and that fails for the keys that a test names. In a bulk call it takes
 * what it has done out of the collection, as the specification asks for.
 */
public final class RecordingWriter<K, V> implements CacheWriter<K, V> {
    private final List<String> writes = new ArrayList<>();
    private final Set<Object> failing = new HashSet<>();
    private final Function<V, String> text;
    private volatile Runnable beforeEach = () -> {};

    public RecordingWriter() {
        this(String::valueOf);
    }

    /** Takes what says how a value is kept. */
    public RecordingWriter(Function<V, String> text) {
        this.text = text;
    }

    /** Returns what was written since the last call, such as {@code write k=v} and {@code delete k}. */
    public synchronized List<String> takeWrites() {
        List<String> taken = List.copyOf(writes);
        writes.clear();
        return taken;
    }

    /** Fails for these keys, and for no others. */
    synchronized void failFor(Object... keys) {
        failing.clear();
        failing.addAll(List.of(keys));
    }

    /** Runs something before each bulk call. */
    void beforeEach(Runnable task) {
        beforeEach = task;
    }

    @Override
    public synchronized void write(Cache.Entry<? extends K, ? extends V> entry) {
        check(entry.getKey());
        writes.add("write " + entry.getKey() + "=" + text.apply(entry.getValue()));
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends K, ? extends V>> entries) {
        beforeEach.run();
        writeEach(entries);
    }

    private synchronized void writeEach(Collection<Cache.Entry<? extends K, ? extends V>> entries) {
        for (Iterator<Cache.Entry<? extends K, ? extends V>> rest = entries.iterator(); rest.hasNext(); ) {
            Cache.Entry<? extends K, ? extends V> entry = rest.next();
            if (!failing.contains(entry.getKey())) {
                write(entry);
                rest.remove();
            }
        }
        checkDone(entries);
    }

    @Override
    public synchronized void delete(Object key) {
        check(key);
        writes.add("delete " + key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
        beforeEach.run();
        deleteEach(keys);
    }

    private synchronized void deleteEach(Collection<?> keys) {
        for (Iterator<?> rest = keys.iterator(); rest.hasNext(); ) {
            Object key = rest.next();
            if (!failing.contains(key)) {
                delete(key);
                rest.remove();
            }
        }
        checkDone(keys);
    }

    private void check(Object key) {
        if (failing.contains(key)) {
            throw new IllegalStateException("of the writer");
        }
    }

    private static void checkDone(Collection<?> rest) {
        if (!rest.isEmpty()) {
            throw new CacheWriterException("of the writer");
        }
    }
}
