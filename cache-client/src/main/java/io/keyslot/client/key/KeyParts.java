// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import org.jspecify.annotations.Nullable;

/**
 * The parts of a stored key, after the prefix of its cache: <code>{rootType:rootId}form:member</code>, or
 * {@code rootId} if it is bare. Everything but the type is escaped text. The form is empty if it is that of the cache;
 * the member is the id within the group, null if the key is not a member.
 */
record KeyParts(
        boolean bare,
        String rootType,
        String rootId,
        String form,
        @Nullable String member) {
    static KeyParts bare(String type, String id) {
        return new KeyParts(true, type, id, "", null);
    }

    static KeyParts tagged(String rootType, String rootId, String form, @Nullable String member) {
        return new KeyParts(false, rootType, rootId, form, member);
    }
}
