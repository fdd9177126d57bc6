// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Lookup;
import org.jspecify.annotations.Nullable;

/** Says what stored bytes are, and lets the connection be examined if they should not be there. */
record EntryReader(CommandWriter writer, Epoch epoch) {
    Lookup read(EncodedKey key, byte @Nullable [] stored) {
        Lookup lookup = stored == null ? Lookup.absent() : Envelope.read(key, epoch.value(), stored);
        if (lookup.outcome() == Lookup.Outcome.OTHER_KEY) {
            writer.proveInStep();
        }
        return lookup;
    }
}
