// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.stored.EncodedKey;

/** Creates the keys of one scalar form in one cache, which differ only in the id. Immutable. */
final class ScalarKeys {
    private final ScalarForm form;
    private final PrefixedKeys keys;
    private final byte[] end;

    ScalarKeys(ScalarForm form, PrefixedKeys keys, byte[] end) {
        this.form = form;
        this.keys = keys;
        this.end = end;
    }

    @SuppressWarnings("ReferenceEquality") // A class has one form.
    boolean areOf(ScalarForm other) {
        return form == other;
    }

    EncodedKey encode(Object key) {
        // Numbers need no escaping.
        return key instanceof Long || key instanceof Integer
                ? keys.key(((Number) key).longValue(), end)
                : keys.key(form.write(key, ""), end);
    }
}
