// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A requested change of an entry; {@code value} is null for a removal. */
public record EntryChange<K, V>(
        K key, EncodedKey encoded, @Nullable V value, ExpiryRules expiry) {
    /** Returns the expiry of the value, or empty if it expires at once. */
    public Optional<Expiry> expiryAfter(boolean isUpdate) {
        return isUpdate ? expiry.onUpdate() : expiry.onCreation();
    }
}
