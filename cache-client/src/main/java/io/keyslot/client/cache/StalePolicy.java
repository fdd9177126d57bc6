// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.loading.Loads;
import io.keyslot.client.loading.ReadPolicy;
import io.keyslot.client.stored.EncodedKey;
import org.jspecify.annotations.Nullable;

/** Decides which values a read can serve without waiting for a load. */
final class StalePolicy<K, V> {
    private final CacheCalls<K> calls;
    private final Loads<K, V> loads;
    private final ReadPolicy policy;
    private final LocalEntries<K, V> kept;

    StalePolicy(CacheCalls<K> calls, Loads<K, V> loads, LocalEntries<K, V> kept) {
        this.calls = calls;
        this.loads = loads;
        this.policy = loads.policy();
        this.kept = kept;
    }

    /** Returns the value of a near entry, or null; reloads it in the background if that is due. */
    @Nullable
    V near(K key) {
        if (!policy.isRefreshedAhead()) {
            return kept.get(key);
        }
        Answer<V> answer = kept.find(key);
        return answer == null ? null : served(key, calls.encode(key), answer);
    }

    @Nullable
    V read(K key, EncodedKey encoded, Answer<V> answer) {
        V value = served(key, encoded, answer);
        return value == null ? kept.getMissing(key, answer) : value;
    }

    /** Returns the value if it may be served, or null; reloads it in the background if that is due. */
    private @Nullable V served(K key, EncodedKey encoded, Answer<V> answer) {
        if (answer.isPresent()) {
            if (policy.isDueEarly(answer)) {
                loads.refresh(key, encoded, answer);
            }
            return answer.value();
        }
        if (!policy.isServedWhileLoading(answer)) {
            return null;
        }
        loads.refreshServed(key, encoded, answer);
        return answer.stored();
    }
}
