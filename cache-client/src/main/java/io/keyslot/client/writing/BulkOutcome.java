// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Failures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/** What became of many changes: what failed is collected while the rest goes on. For use by one thread. */
public final class BulkOutcome<K> {
    private final Map<K, KeyslotException> failures = new LinkedHashMap<>();
    private @Nullable CacheEntryListenerException listenerFailure;
    private @Nullable CacheWriterException writerFailure;
    private long done;

    /** Takes note of a change: why it was not made, or perhaps not; null if it was. */
    public void add(K key, @Nullable KeyslotException problem) {
        if (problem == null) {
            done++;
        } else {
            failures.put(key, problem);
        }
    }

    /** As {@link #add}, of many. */
    public void addEach(List<K> keys, List<@Nullable KeyslotException> problems) {
        for (int i = 0; i < keys.size(); i++) {
            add(keys.get(i), problems.get(i));
        }
    }

    /** None of these changes was made, for one reason. */
    public void addAll(List<K> keys, KeyslotException problem) {
        keys.forEach(key -> failures.put(key, problem));
    }

    /** Makes a change, and takes note of what came of it. Of the failures of listeners, the first is told in the end. */
    public void attempt(K key, Runnable change) {
        KeyslotException problem = null;
        try {
            change.run();
        } catch (KeyslotException e) {
            problem = e;
        } catch (CacheEntryListenerException e) {
            listenerFailure = listenerFailure == null ? e : listenerFailure;
        }
        add(key, problem);
    }

    void writerFailed(@Nullable CacheWriterException failure) {
        writerFailure = failure;
    }

    /** Returns how many changes were made. */
    public long done() {
        return done;
    }

    /** Returns why changes were not made, or perhaps not; who removes one says that it counts as done. */
    public Map<K, KeyslotException> failures() {
        return failures;
    }

    /** Throws what went wrong. That all others are done may be said only if the writer has done its part of all. */
    public void throwAny(Failures subject, String operation) {
        KeyslotException failure = failures.isEmpty() ? null : subject.ofBulk(operation, failures);
        throwFirst(failure);
    }

    /** As {@link #throwAny}, of a single change. */
    void throwOnly() {
        throwFirst(failures.values().stream().findFirst().orElse(null));
    }

    private void throwFirst(@Nullable KeyslotException failure) {
        if (failure != null && writerFailure != null) {
            writerFailure.addSuppressed(failure);
            throw writerFailure;
        }
        if (failure != null) {
            throw failure;
        }
        if (listenerFailure != null) {
            throw listenerFailure;
        }
        if (writerFailure != null) {
            throw writerFailure;
        }
    }
}
