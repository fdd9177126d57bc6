// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.cache.EntityKey;
import io.keyslot.slot.KeyText;

/** Splits entity keys into parts, and joins them again. */
final class EntityKeyParts {
    private final KeySpace space;
    private final boolean isOnlyKind;

    EntityKeyParts(KeySpace space, boolean isOnlyKind) {
        this.space = space;
        this.isOnlyKind = isOnlyKind;
    }

    KeyParts parts(EntityKey key) {
        if (!key.type().equals(space.entityType())) {
            throw new IllegalArgumentException(
                    "its entity type is %s, but this cache has the entity type %s; use the cache of %s"
                            .formatted(key.type(), space.entityType(), key.type()));
        }
        EntityKey group = key.group();
        return group == null ? withoutGroup(key) : member(key, group);
    }

    private KeyParts withoutGroup(EntityKey key) {
        if (space.isGrouped()) {
            throw new IllegalArgumentException(
                    "it has no group, but this cache is grouped by %s; use in(EntityKey.of(%s))"
                            .formatted(space.groupedBy(), "\"" + space.groupedBy() + "\", id"));
        }
        String id = KeyText.escapeId(key.id());
        return isOnlyKind
                ? KeyParts.bare(key.type(), id)
                : KeyParts.tagged(key.type(), id, ScalarForms.ENTITY_KEY.name(), null);
    }

    private KeyParts member(EntityKey key, EntityKey group) {
        if (space.isGrouped() && !group.type().equals(space.groupedBy())) {
            throw new IllegalArgumentException("its group has the entity type %s, but this cache is grouped by %s"
                    .formatted(group.type(), space.groupedBy()));
        }
        String member = key.id().isEmpty() ? null : KeyText.escapeId(key.id());
        // Without an id of its own, it looks like a plain id of the root, which other keys of a grouped cache are.
        boolean needsForm = member == null && space.isGrouped() && !isOnlyKind;
        String form = needsForm ? ScalarForms.ENTITY_KEY.name() : "";
        return KeyParts.tagged(group.type(), KeyText.escapeId(group.id()), form, member);
    }

    EntityKey key(KeyParts parts) {
        EntityKey root = EntityKey.of(parts.rootType(), KeyText.unescape(parts.rootId()));
        boolean hasForm = !parts.form().isEmpty();
        if (parts.bare() || (hasForm && !space.isGrouped())) {
            return root;
        }
        String id = parts.member() == null ? "" : KeyText.unescape(parts.member());
        return EntityKey.of(space.entityType(), id).in(root);
    }
}
