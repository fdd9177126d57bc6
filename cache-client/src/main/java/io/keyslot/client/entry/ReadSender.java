// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends plain reads, on which no change depends. The methods do not throw or block: every failure is a reply. */
public interface ReadSender {
    CompletableFuture<Reply<Lookup>> read(EncodedKey key, Patience patience);

    /** Reads entries; the replies have the order of the keys. */
    CompletableFuture<List<Reply<Lookup>>> readAll(List<EncodedKey> keys, Patience patience);
}
