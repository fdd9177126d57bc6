// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes the expiry of read entries by the expiry policy. Most failures do not affect the read. Thread-safe. */
final class AccessExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(AccessExpiry.class);

    private final CacheCalls<?> calls;
    private final EntryStore<?> store;
    private final ExpiryRules rules;

    AccessExpiry(CacheCalls<?> calls, EntryStore<?> store, ExpiryRules rules) {
        this.calls = calls;
        this.store = store;
        this.rules = rules;
    }

    void touch(EncodedKey encoded, long stamp, CallBudget budget) {
        touch(encoded, stamp, rules.onAccess(), budget);
    }

    private void touch(EncodedKey encoded, long stamp, Optional<Expiry> wanted, CallBudget budget) {
        try {
            if (wanted.isEmpty()) {
                store.compareAndRemove(encoded, stamp, budget);
            } else if (!wanted.get().isUnchanged()) {
                store.compareAndExpire(encoded, stamp, wanted.get(), budget);
            }
        } catch (KeyslotException e) {
            if (e instanceof PartitionUnavailableException refused && refused.isForGood()) {
                throw e; // otherwise each read would leave an expiry that contradicts the policy
            }
            LOG.debug("Cache {}: an entry was read, but its expiry was not changed", calls.name(), e);
        }
    }

    boolean areAny() {
        return rules.mayTouch();
    }

    /** Adds an entry to those that {@link #touchAll} touches, or removes it if it expires at once. */
    void collect(EncodedKey encoded, Answer<?> answer, CallBudget budget, List<Command.CompareAndExpire> touched) {
        Optional<Expiry> wanted = rules.onAccess();
        if (wanted.isEmpty()) {
            touch(encoded, answer.stamp(), wanted, budget);
        } else if (!wanted.get().isUnchanged()) {
            touched.add(new Command.CompareAndExpire(encoded, answer.stamp(), wanted.get()));
        }
    }

    void touchAll(List<Command.CompareAndExpire> touched, CallBudget budget) {
        store.expireAll(touched, budget);
    }
}
