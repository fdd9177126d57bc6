// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Lookup;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.time.Deadline;
import io.keyslot.client.time.Waiter;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads entries that nothing is decided by. Neither throws nor blocks: every failure is a reply. */
public interface ReadSender {
    /** Reads an entry. */
    CompletableFuture<Reply<Lookup>> read(EncodedKey key, Deadline deadline);

    /** As {@link #read(EncodedKey, Deadline)}, for a thread that is going to wait for the reply, and may do so in here. */
    default CompletableFuture<Reply<Lookup>> read(EncodedKey key, Deadline deadline, Waiter waiter) {
        return read(key, deadline);
    }

    /** Reads entries; the replies have the order of the keys. */
    CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Deadline deadline);

    /** As {@link #readAll(List, Deadline)}, for a thread that is going to wait for the replies, and may do so in here. */
    default CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Deadline deadline, Waiter waiter) {
        return readAll(keys, deadline);
    }
}
