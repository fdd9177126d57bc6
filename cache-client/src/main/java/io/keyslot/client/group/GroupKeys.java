// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.failure.CrossSlotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.KeyText;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The stored keys of one group. Immutable, except that {@code feeds} returns the feed of the open cache of a type. */
record GroupKeys(
        String namespacePrefix,
        EntityKey root,
        int longestKey,
        GroupHome home,
        Function<String, @Nullable Feed> feeds) {
    static final String RESERVED_TYPE = "keyslot";

    static GroupKeys of(String namespace, EntityKey root, int longestKey, Function<String, @Nullable Feed> feeds) {
        if (root.group() != null) {
            throw new IllegalArgumentException("Group: %s is a member of the group of %s; ask for the group of that"
                    .formatted(root.text(), root.root().text()));
        }
        String prefix = prefixOf(namespace);
        return new GroupKeys(prefix, root, longestKey, new GroupHome(prefix + root.text()), feeds);
    }

    String titleOf(EntityKey key) {
        return "Group %s: %s".formatted(root.text(), key.type());
    }

    /**
     * Throws {@code CrossSlotException} if the key belongs to another group.
     * @throws LimitExceededException if it is too long
     * @throws IllegalArgumentException if its entity type is reserved
     */
    EncodedKey encode(EntityKey key) {
        if (!key.root().equals(root)) {
            throw new CrossSlotException(
                    "Group %s in slot %d: %s is in slot %d and belongs to the group of %s; use that group"
                            .formatted(
                                    root.text(),
                                    home.slot(),
                                    key.text(),
                                    stored(key.root()).slot(),
                                    key.root().text()));
        }
        if (key.type().equals(RESERVED_TYPE)) {
            throw new IllegalArgumentException(
                    "Group %s: the entity type keyslot is reserved; use another name".formatted(root.text()));
        }
        EncodedKey encoded = stored(key);
        if (encoded.length() > longestKey) {
            throw new LimitExceededException(
                    "Group %s: a key of type %s has %d bytes as text, the limit is %d; use shorter ids, or raise limits.keyBytes"
                            .formatted(root.text(), key.type(), encoded.length(), longestKey));
        }
        return encoded;
    }

    EncodedKey encodeRow(String type, String id) {
        return encode(EntityKey.of(type, id).in(root)).in(feeds.apply(type)).indexed();
    }

    /** Returns the key of an aggregate such that the feed of the root's cache gets its changes. */
    EncodedKey aggregate(EncodedKey key) {
        return key.in(feeds.apply(root.type()));
    }

    /** Returns the key of an entry such that the feed of its cache gets its changes. */
    EncodedKey entry(EncodedKey key) {
        return key.in(feeds.apply(typeOf(key)));
    }

    /** Returns the beginning of the names of all rows of a type. */
    String rowPrefix(String type) {
        return home.nameOf(encode(EntityKey.of(type).in(root))).text() + ":";
    }

    String typeOf(EncodedKey key) {
        String text = key.text();
        return KeyText.unescape(text.substring(namespacePrefix.length(), text.indexOf(':')));
    }

    /** Returns the entity key; empty if the cache's keys have another form. */
    Optional<EntityKey> decode(EncodedKey key) {
        try {
            String text = key.text().substring(namespacePrefix.length());
            return Optional.of(EntityKey.parse(text.replace("{" + namespacePrefix, "{")));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Throws {@code CrossSlotException} if the entry belongs to another group. */
    void check(EncodedKey key) {
        if (!HashSlot.tag(key.text()).equals(home.tag())) {
            throw new CrossSlotException(
                    "Group %s in slot %d: %s is in slot %d and belongs to another group; use that group"
                            .formatted(root.text(), home.slot(), key.text(), key.slot()));
        }
    }

    /** Returns the root of an entry's group; throws if the hash tag is not the text of an entity key. */
    static EntityKey rootOf(EncodedKey key, String namespace) {
        String tag = HashSlot.tag(key.text());
        try {
            return EntityKey.parse(tag.substring(prefixOf(namespace).length()));
        } catch (IllegalArgumentException withKeyInIt) {
            // Not kept as the cause: its message may contain the key.
            throw new IllegalArgumentException(
                    "Group: a key of several parts that belongs to no group is not the root of one; group its cache by an"
                            + " entity type, or ask the manager for the group of an entity key");
        }
    }

    private static String prefixOf(String namespace) {
        return namespace.isEmpty() ? "" : KeyText.escapeType(namespace) + "/";
    }

    private EncodedKey stored(EntityKey key) {
        EntityKey group = key.group();
        String text = group == null
                ? namespacePrefix + key.text()
                : namespacePrefix + key.text().replace("{", "{" + namespacePrefix);
        return EncodedKey.of(text);
    }
}
