// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import org.jspecify.annotations.Nullable;

/**
 * A stored key without what all keys of its cache have in common: <code>prefix{rootType:rootId}form:member</code>, or
 * {@code prefix rootId} if it is bare. Everything but the type is escaped text.
 *
 * @param bare whether the key has no braces, and so neither form nor member
 * @param rootType the entity type of the root, not escaped
 * @param rootId the id of the root: with the type, all that decides the slot
 * @param form the name of the key's form, empty if it is the form of the cache
 * @param member the id within the group, null if the key is not a member
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
