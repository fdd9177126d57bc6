// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.cache.EntityKey;
import io.keyslot.client.key.KeyCodec.KeySpace;
import io.keyslot.slot.KeyText;
import org.jspecify.annotations.Nullable;

/** Joins the parts of a stored key, splits it into parts, and does the same for entity keys. */
record KeyLayout(
        KeySpace space,
        boolean isOnlyEntityKeys,
        String prefix,
        String namespacePrefix,
        String rootPrefix,
        PrefixedKeys bare,
        PrefixedKeys tagged) {
    /** The form of Hibernate's keys, whose root is the entity and its id. */
    static final String HIBERNATE_KEY = "HibernateKey";

    static KeyLayout of(KeySpace space, boolean isOnlyEntityKeys) {
        String prefix = space.prefix(space.entityType());
        String rootPrefix = space.prefix(space.rootType());
        return new KeyLayout(
                space,
                isOnlyEntityKeys,
                prefix,
                space.namespacePrefix(),
                rootPrefix,
                new PrefixedKeys(prefix),
                new PrefixedKeys(prefix + "{" + rootPrefix));
    }

    String join(KeyParts parts) {
        if (parts.bare()) {
            return prefix + parts.rootId();
        }
        String tagged = prefix + "{" + rootPrefix(parts.rootType()) + parts.rootId() + behindRoot(parts.form());
        return parts.member() == null ? tagged : tagged + ":" + parts.member();
    }

    /** Returns the text after the id of a tagged root without a member. */
    static String behindRoot(String form) {
        return "}" + form;
    }

    private String rootPrefix(String type) {
        return type.equals(space.rootType()) ? rootPrefix : space.prefix(type);
    }

    KeyParts split(String text) {
        if (!text.startsWith(prefix)) {
            throw new IllegalArgumentException("it does not start with the cache's prefix " + prefix);
        }
        String rest = text.substring(prefix.length());
        if (!rest.startsWith("{")) {
            return KeyParts.bare(space.entityType(), rest);
        }
        int close = rest.indexOf('}');
        int colon = rest.indexOf(':');
        if (close < 0 || colon < 0 || colon > close || !rest.startsWith(namespacePrefix, 1)) {
            throw new IllegalArgumentException("its braces do not hold an entity key of the cache's namespace");
        }
        String rootType = KeyText.unescape(rest.substring(1 + namespacePrefix.length(), colon));
        String rootId = rest.substring(colon + 1, close);
        return tagged(rootType, rootId, rest.substring(close + 1));
    }

    private static KeyParts tagged(String rootType, String rootId, String behindTag) {
        int colon = behindTag.indexOf(':');
        String form = colon < 0 ? behindTag : behindTag.substring(0, colon);
        String member = colon < 0 ? null : behindTag.substring(colon + 1);
        return KeyParts.tagged(rootType, rootId, form, member);
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
        return isOnlyEntityKeys
                ? KeyParts.bare(key.type(), id)
                : KeyParts.tagged(key.type(), id, ScalarForm.ENTITY_KEY.name(), null);
    }

    private KeyParts member(EntityKey key, EntityKey group) {
        if (space.isGrouped() && !group.type().equals(space.groupedBy())) {
            throw new IllegalArgumentException("its group has the entity type %s, but this cache is grouped by %s"
                    .formatted(group.type(), space.groupedBy()));
        }
        String member = key.id().isEmpty() ? null : KeyText.escapeId(key.id());
        // Without an id of its own, it looks like a plain id of the root, which other keys of a grouped cache are.
        boolean needsForm = member == null && space.isGrouped() && !isOnlyEntityKeys;
        String form = needsForm ? ScalarForm.ENTITY_KEY.name() : "";
        return KeyParts.tagged(group.type(), KeyText.escapeId(group.id()), form, member);
    }

    EntityKey entityKey(KeyParts parts) {
        EntityKey root = EntityKey.of(parts.rootType(), KeyText.unescape(parts.rootId()));
        boolean hasForm = !parts.form().isEmpty();
        if (parts.bare() || (hasForm && !space.isGrouped())) {
            return root;
        }
        String id = parts.member() == null ? "" : KeyText.unescape(parts.member());
        return EntityKey.of(space.entityType(), id).in(root);
    }

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
}
