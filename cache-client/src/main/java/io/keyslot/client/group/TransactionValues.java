// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one entity type in a transaction: read with their stamps and written with the commit, without loader,
 * writer, statistics and listeners. A put reads the previous entry only if necessary.
 */
final class TransactionValues<V> {
    private final TransactionRun run;
    private final ValueForm<V> form;

    TransactionValues(TransactionRun run, ValueForm<V> form) {
        this.run = run;
        this.form = form;
    }

    Optional<V> get(EncodedKey key) {
        run.begin();
        run.count(run.readSet().hasUsed(key) ? 0 : 1, 0);
        return valueOf(run.entry(key));
    }

    void prepare(List<EncodedKey> keys) {
        run.begin();
        run.readEntries(keys);
    }

    /** Stores a value; a null {@code timeToLive} means that of the cache. */
    void put(EncodedKey key, V value, @Nullable Duration timeToLive) {
        beginChange();
        if (!run.readSet().knows(key) && (timeToLive != null || form.mayBeBlind())) {
            Expiry creation = timeToLive == null ? form.onCreation().orElseThrow() : form.lasting(timeToLive);
            Expiry update = timeToLive == null ? form.onUpdate().orElseThrow() : creation;
            Envelope envelope = form.encode(value, run.stamp(), creation, null);
            store(run.readSet().entry(key), key, envelope, creation, update);
        } else {
            replace(run.entry(key), key, value, timeToLive);
        }
    }

    boolean putIfAbsent(EncodedKey key, V value) {
        beginChange();
        KnownEntry entry = run.entry(key);
        if (valueOf(entry).isPresent()) {
            return false;
        }
        replace(entry, key, value, null);
        return true;
    }

    boolean remove(EncodedKey key) {
        beginChange();
        KnownEntry entry = run.entry(key);
        boolean wasThere = valueOf(entry).isPresent();
        remove(entry, key);
        return wasThere;
    }

    private void beginChange() {
        run.begin();
        form.requireWritable();
        run.count(1, 0);
    }

    private void replace(KnownEntry entry, EncodedKey key, V value, @Nullable Duration timeToLive) {
        boolean isThere = valueOf(entry).isPresent();
        Optional<Expiry> expiry = timeToLive != null
                ? Optional.of(form.lasting(timeToLive))
                : isThere ? form.onUpdate() : form.onCreation();
        if (expiry.isEmpty()) {
            remove(entry, key); // a value that expires at once is never visible, and the previous one is removed
            return;
        }
        Envelope envelope = form.encode(value, run.stamp(), expiry.get(), isThere ? entry.present() : null);
        store(entry, key, envelope, expiry.get().isUnchanged() ? Expiry.NEVER : expiry.get(), expiry.get());
    }

    private void store(KnownEntry entry, EncodedKey key, Envelope envelope, Expiry creation, Expiry update) {
        run.count(0, envelope.sizeBytes());
        run.record(new GroupStep.PutEntry(key, envelope, form.kept(creation), form.kept(update)));
        entry.change(envelope);
    }

    /**
     * Removes even a missing entry, to end the lease of a loader that may have read a value being deleted elsewhere.
     */
    private void remove(KnownEntry entry, EncodedKey key) {
        run.record(new GroupStep.RemoveEntry(key));
        entry.change(null);
    }

    private Optional<V> valueOf(KnownEntry entry) {
        Envelope present = entry.present();
        return present == null ? Optional.empty() : form.decode(present);
    }
}
