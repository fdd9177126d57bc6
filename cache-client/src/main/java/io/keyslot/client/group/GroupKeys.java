// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.failure.CrossSlotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.KeyText;
import java.util.Optional;

/** The stored keys of one group, and of no other. Immutable. */
final class GroupKeys {
    /** The entity type of what a group and an instance keep of themselves. */
    private static final String RESERVED_TYPE = "keyslot";

    private final String namespacePrefix;
    private final EntityKey root;
    private final int longestKey;
    private final GroupHome home;

    /**
     * @param namespace keeps applications apart that share instances; empty for none
     * @param longestKey the most bytes of a stored key
     */
    public GroupKeys(String namespace, EntityKey root, int longestKey) {
        if (root.group() != null) {
            throw new IllegalArgumentException("Group: %s is a member of the group of %s; ask for the group of that"
                    .formatted(root.text(), root.root().text()));
        }
        this.namespacePrefix = prefixOf(namespace);
        this.root = root;
        this.longestKey = longestKey;
        this.home = new GroupHome(namespacePrefix + root.text());
    }

    public EntityKey root() {
        return root;
    }

    /** Returns how exceptions begin that concern something in the group: the entity type says what. */
    public String titleOf(EntityKey key) {
        return "Group %s: %s".formatted(root.text(), key.type());
    }

    public GroupHome home() {
        return home;
    }

    /**
     * Returns the stored key of the root or of a member.
     *
     * @throws CrossSlotException if it belongs to another group
     * @throws LimitExceededException if it is too long
     * @throws IllegalArgumentException if its entity type is reserved
     */
    public EncodedKey encode(EntityKey key) {
        if (!key.root().equals(root)) {
            throw new CrossSlotException(
                    "Group %s in slot %d: %s is in slot %d and belongs to the group of %s; use that group"
                            .formatted(
                                    root.text(),
                                    home.slot(),
                                    key.text(),
                                    slotOf(key),
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

    /** Returns the stored key of a row, to be listed in the index. */
    public EncodedKey encodeRow(String type, String id) {
        return encode(EntityKey.of(type, id).in(root)).indexed();
    }

    /** Returns what the names of all rows of a type start with. */
    public String rowPrefix(String type) {
        return home.nameOf(encode(EntityKey.of(type).in(root))).text() + ":";
    }

    /** Returns what the keys of all rows of a type start with. */
    public String rowKeyPrefix(String type) {
        return encode(EntityKey.of(type).in(root)).text() + ":";
    }

    /** Returns the entity type of what is stored in this group. */
    public String typeOf(EncodedKey key) {
        String text = key.text();
        return KeyText.unescape(text.substring(namespacePrefix.length(), text.indexOf(':')));
    }

    /** Returns the entity key of what is stored in this group; empty if its cache has keys of another form. */
    public Optional<EntityKey> decode(EncodedKey key) {
        try {
            String text = key.text().substring(namespacePrefix.length());
            return Optional.of(EntityKey.parse(text.replace("{" + namespacePrefix, "{")));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Checks the stored key of an entry.
     *
     * @throws CrossSlotException if it belongs to another group
     */
    public void check(EncodedKey key) {
        if (!HashSlot.tag(key.text()).equals(home.tag())) {
            throw new CrossSlotException(
                    "Group %s in slot %d: %s is in slot %d and belongs to another group; use that group"
                            .formatted(root.text(), home.slot(), key.text(), key.slot()));
        }
    }

    /**
     * Returns the root of the group to which an entry belongs.
     *
     * @throws IllegalArgumentException if what decides its slot is not the text of an entity key
     */
    public static EntityKey rootOf(EncodedKey key, String namespace) {
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

    private int slotOf(EntityKey key) {
        return stored(key.root()).slot();
    }

    private EncodedKey stored(EntityKey key) {
        EntityKey group = key.group();
        String text = group == null
                ? namespacePrefix + key.text()
                : namespacePrefix + key.text().replace("{", "{" + namespacePrefix);
        return EncodedKey.of(text);
    }
}
