// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.slot.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * What the keys of one cache have in common.
 *
 * @param namespace keeps applications apart that share instances; empty for none
 * @param entityType what stands before the colon
 * @param groupedBy the entity type of the groups' roots, null if the cache is not grouped
 */
public record KeySpace(
        String namespace, String entityType, @Nullable String groupedBy) {
    public KeySpace {
        if (entityType.isEmpty()) {
            throw new IllegalArgumentException("Key space: the entity type is empty, must have at least one character");
        }
        if (groupedBy != null && groupedBy.isEmpty()) {
            throw new IllegalArgumentException("Key space: groupedBy is empty, must be an entity type or null");
        }
    }

    boolean isGrouped() {
        return groupedBy != null;
    }

    /** Returns the entity type whose ids are the roots: of the groups, or of the cache's own entries. */
    String rootType() {
        return groupedBy == null ? entityType : groupedBy;
    }

    /** Returns what all keys of an entity type start with. */
    String prefix(String type) {
        return namespacePrefix() + KeyText.escapeType(type) + ":";
    }

    String namespacePrefix() {
        return namespace.isEmpty() ? "" : KeyText.escapeType(namespace) + "/";
    }
}
