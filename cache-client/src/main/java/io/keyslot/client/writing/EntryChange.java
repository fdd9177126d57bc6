// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a call wants an entry to become.
 *
 * @param value what is to be put, null if the entry is to be removed
 * @param expiry when it expires
 */
public record EntryChange<K, V>(
        K key, EncodedKey encoded, @Nullable V value, ExpiryRules expiry) {
    /** Returns when the value expires, empty for at once. */
    public Optional<Expiry> expiryAfter(boolean isUpdate) {
        return isUpdate ? expiry.onUpdate() : expiry.onCreation();
    }
}
