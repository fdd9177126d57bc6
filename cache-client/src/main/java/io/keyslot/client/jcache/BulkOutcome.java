// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Failures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/** The outcome of many changes: collects the failures while the other changes continue. For use by one thread. */
final class BulkOutcome<K> {
    private final Map<K, KeyslotException> failures = new LinkedHashMap<>();
    private @Nullable CacheEntryListenerException listenerFailure;
    private @Nullable CacheWriterException writerFailure;
    private long done;

    /** Records a change: null if it was made, otherwise why it was not, or perhaps not. */
    void add(K key, @Nullable KeyslotException problem) {
        if (problem == null) {
            done++;
        } else {
            failures.put(key, problem);
        }
    }

    void addEach(List<K> keys, List<@Nullable KeyslotException> problems) {
        for (int i = 0; i < keys.size(); i++) {
            add(keys.get(i), problems.get(i));
        }
    }

    void addAll(List<K> keys, KeyslotException problem) {
        keys.forEach(key -> failures.put(key, problem));
    }

    /** Makes a change and records its outcome. The first failure of a listener is thrown at the end. */
    void attempt(K key, Runnable change) {
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

    long done() {
        return done;
    }

    /** Returns the failures of changes that were not, or perhaps not, made. A removed failure counts as done. */
    Map<K, KeyslotException> failures() {
        return failures;
    }

    /** Throws the failures, if there are any. Call this only if the writer has written all other changes. */
    void throwAny(Failures subject, String operation) {
        KeyslotException failure = failures.isEmpty() ? null : subject.ofBulk(operation, failures);
        throwFirst(failure);
    }

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
