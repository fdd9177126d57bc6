// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;

/** A writer that keeps what it is given, and that fails as a test says. */
final class ScriptedWriter implements CacheWriter<String, String> {
    final Map<String, String> database = new HashMap<>();
    final Set<String> unwritable = new LinkedHashSet<>();
    private final List<String> calls = new ArrayList<>();
    private Runnable during = () -> {};
    private boolean failsWhole;

    /** Returns the calls since the last time, such as {@code write {a=1, b=2}} and {@code delete [c]}. */
    List<String> takeCalls() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    /** Lets a batch with a key that cannot be written fail as a whole, as in one transaction. */
    void failWhole() {
        failsWhole = true;
    }

    /** Runs something in the middle of the next call. */
    void duringNext(Runnable task) {
        during = task;
    }

    void outdated(List<String> keys) {
        calls.add("outdated " + keys);
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
        throw new UnsupportedOperationException("changes are written in batches");
    }

    @Override
    public void delete(Object key) {
        throw new UnsupportedOperationException("changes are written in batches");
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
        Map<String, String> values = new TreeMap<>();
        entries.forEach(entry -> values.put(entry.getKey(), entry.getValue()));
        calls.add("write " + values);
        Set<String> failed = change(values.keySet(), key -> database.put(key, values.get(key)));
        entries.removeIf(entry -> !failed.contains(entry.getKey()));
        throwIfAny(failed);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
        Set<String> deleted = new TreeSet<>();
        keys.forEach(key -> deleted.add((String) key));
        calls.add("delete " + deleted);
        Set<String> failed = change(deleted, database::remove);
        keys.retainAll(failed);
        throwIfAny(failed);
    }

    private Set<String> change(Set<String> keys, Consumer<String> change) {
        Runnable task = during;
        during = () -> {};
        task.run();
        Set<String> failed = new LinkedHashSet<>(keys);
        failed.retainAll(unwritable);
        if (failsWhole) {
            throwIfAny(failed);
        }
        keys.stream().filter(key -> !failed.contains(key)).forEach(change);
        return failed;
    }

    private static void throwIfAny(Set<String> failed) {
        if (!failed.isEmpty()) {
            throw new IllegalStateException("of the writer");
        }
    }
}
