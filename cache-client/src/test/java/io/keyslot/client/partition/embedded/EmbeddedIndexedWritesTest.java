// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import com.github.benmanes.caffeine.cache.Ticker;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.IndexedWritesContract;

/** The index of a group in this process. */
class EmbeddedIndexedWritesTest extends IndexedWritesContract {
    private final StoredEntries entries = new StoredEntries(1 << 30, Ticker.systemTicker());
    private final EmbeddedPartition.Incarnation incarnation =
            new EmbeddedPartition.Incarnation(1, entries, new EmbeddedRegister());
    private final EmbeddedOperations operations = new EmbeddedOperations(
            incarnation, () -> true, new EmbeddedPushes(new PushListeners(), entries), 1, "here");

    @Override
    protected <R> Reply<R> send(Command<R> command) {
        return operations.execute(command);
    }
}
