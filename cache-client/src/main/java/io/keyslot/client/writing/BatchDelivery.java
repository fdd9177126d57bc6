// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.concurrent.CallScope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Passes batches to the writer, and settles their outcome in the queue. */
final class BatchDelivery<K, V> {
    private final ChangeQueue<K, V> queue;
    private final BatchWriter<K, V> writer;
    private final Counts counts;
    private final FlushLog log;

    BatchDelivery(ChangeQueue<K, V> queue, BatchWriter<K, V> writer, Counts counts, FlushLog log) {
        this.queue = queue;
        this.writer = writer;
        this.counts = counts;
        this.log = log;
    }

    /** Throws only an {@code Error} of the writer, after its batch is settled as failed. */
    void handOver(Batch<K, V> batch) {
        try {
            settle(batch, written(batch));
        } catch (RuntimeException e) {
            settle(batch, new BatchWriter.Outcome<>(batch.keys(), e));
        } catch (Error e) {
            settle(batch, new BatchWriter.Outcome<>(batch.keys(), e));
            throw e;
        }
    }

    private BatchWriter.Outcome<K> written(Batch<K, V> batch) {
        try (CallScope scope = CallScope.enter(queue)) {
            return batch.isDeletes() ? writer.deleteAll(batch.keys()) : writer.writeAll(batch.values());
        }
    }

    private void settle(Batch<K, V> batch, BatchWriter.Outcome<K> outcome) {
        reportWritten(batch, outcome.failed());
        Settled<K> settled = queue.settle(batch, outcome.failed());
        counts.add(settled);
        if (!settled.outdated().isEmpty()) {
            writer.outdated(settled.outdated());
        }
        if (!outcome.failed().isEmpty()) {
            log.failed(settled, outcome.failure(), queue.size());
        }
    }

    private void reportWritten(Batch<K, V> batch, Set<K> failed) {
        Map<K, Optional<V>> written = new LinkedHashMap<>();
        batch.changes().forEach((key, change) -> {
            if (!failed.contains(key) && queue.isLast(key)) {
                written.put(key, Optional.ofNullable(change.value()));
            }
        });
        if (!written.isEmpty()) {
            writer.written(written);
        }
    }
}
