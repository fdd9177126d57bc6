// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.history.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A writer that keeps what it is given, and that fails as a test says. */
public final class ScriptedWriter implements BatchWriter<String, String> {
    public final Map<String, String> database = new HashMap<>();
    public final Set<String> unwritable = new LinkedHashSet<>();
    private final List<String> calls = new ArrayList<>();
    private Runnable during = () -> {};
    private boolean failsWhole;

    /** Returns the calls since the last time, such as {@code write {a=1, b=2}} and {@code delete [c]}. */
    public List<String> takeCalls() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    /** Lets a batch with a key that cannot be written fail as a whole, as in one transaction. */
    public void failWhole() {
        failsWhole = true;
    }

    /** Runs something in the middle of the next call. */
    public void duringNext(Runnable task) {
        during = task;
    }

    @Override
    public Outcome<String> writeAll(Map<String, String> values) {
        calls.add("write " + values);
        return done(values.keySet(), key -> database.put(key, values.get(key)));
    }

    @Override
    public Outcome<String> deleteAll(Set<String> keys) {
        calls.add("delete " + keys);
        return done(keys, database::remove);
    }

    @Override
    public void written(Map<String, Optional<String>> changes) {}

    @Override
    public void outdated(Set<String> keys) {
        calls.add("outdated " + keys);
    }

    private Outcome<String> done(Set<String> keys, Consumer<String> change) {
        Runnable task = during;
        during = () -> {};
        task.run();
        Set<String> failed = new LinkedHashSet<>(keys);
        failed.retainAll(unwritable);
        if (!failed.isEmpty() && failsWhole) {
            throw new IllegalStateException("of the writer");
        }
        keys.stream().filter(key -> !failed.contains(key)).forEach(change);
        return new Outcome<>(failed, failed.isEmpty() ? null : new IllegalStateException("of the writer"));
    }
}
