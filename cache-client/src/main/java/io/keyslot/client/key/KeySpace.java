// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.slot.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * The namespace (or empty) and entity type of a cache's keys, and the root keys' entity type if the cache is grouped.
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

    /** Returns the entity type of the roots: of the groups, or of the cache's own entries. */
    String rootType() {
        return groupedBy == null ? entityType : groupedBy;
    }

    String prefix(String type) {
        return namespacePrefix() + KeyText.escapeType(type) + ":";
    }

    String namespacePrefix() {
        return namespace.isEmpty() ? "" : KeyText.escapeType(namespace) + "/";
    }
}
