// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.stored.EncodedKey;

/** The keys of one scalar form in one cache: nothing of them but the id differs from key to key. Immutable. */
final class ScalarKeys {
    private final ScalarForm form;
    private final PrefixedKeys keys;
    private final byte[] end;

    /**
     * @param form other than that of entity keys
     * @param keys what they begin with
     * @param end what is behind the id; must not be changed any more
     */
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
        // Their text is that of the number, and nothing in it is escaped.
        return key instanceof Long || key instanceof Integer
                ? keys.key(((Number) key).longValue(), end)
                : keys.key(form.write(key, ""), end);
    }
}
