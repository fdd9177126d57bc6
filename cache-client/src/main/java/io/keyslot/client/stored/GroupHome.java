// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import io.keyslot.slot.HashSlot;

/**
 * The keys of a group's metadata, in the slot of its root.
 *
 * <ul>
 *   <li>{@link #stamps}, {@code keyslot:{customer:99}}: a hash with the epoch and stamp of each aggregate. An aggregate
 *       without them, or with another epoch, counts as missing.
 *   <li>{@link #index}, {@code keyslot:{customer:99}:index}: a sorted set of the names of the indexed entries.
 *   <li>{@link #lock}, {@code keyslot:{customer:99}:lock}: the epoch and token of the group's lock while it is held.
 *       The token and holder of the last one are in the stamps, under {@link #LAST_LOCK}.
 *   <li>{@link #messages} and {@link #order}: the fragment of a queue, which is the only content of a group of its own.
 *   <li>{@link #dictionary}: the dictionary of a cache, also the only content of its group.
 * </ul>
 *
 * <p>A member's name is its key without the hash tag: {@code order::1001} for {@code order:{customer:99}:1001}, and the
 * empty text for the root. So the names of an entity type are in the order of the ids, and determine the key.
 *
 * @param tag the stored text of the root, namespace included: {@code customer:99}
 */
public record GroupHome(String tag) {
    /** Not the name of a member: those have a colon, or are empty. */
    public static final String LAST_LOCK = "lock";

    private static final String RESERVED_TYPE = "keyslot:";

    /** Returns the home of something of Keyslot's own. */
    public static GroupHome ofOurs(String namespace, String name) {
        return new GroupHome((namespace.isEmpty() ? "" : namespace + "/") + RESERVED_TYPE + name);
    }

    public static GroupHome of(EncodedKey key) {
        return new GroupHome(HashSlot.tag(key.text()));
    }

    public EncodedKey stamps() {
        return EncodedKey.of(head());
    }

    public EncodedKey index() {
        return EncodedKey.of(head() + ":index");
    }

    public EncodedKey lock() {
        return EncodedKey.of(head() + ":lock");
    }

    /** Returns the key of the messages of a queue's fragment: a hash. */
    public EncodedKey messages() {
        return EncodedKey.of(head() + ":messages");
    }

    /** Returns the key of the order of those messages: a sorted set. */
    public EncodedKey order() {
        return EncodedKey.of(head() + ":order");
    }

    /** Returns the key of a dictionary for compressed values, an entry that no cache has. */
    public EncodedKey dictionary(String name) {
        return EncodedKey.of(head() + ":dictionary" + name);
    }

    public static boolean isStamps(EncodedKey key) {
        return key.equals(of(key).stamps());
    }

    /** Returns a key of the group that is never used. */
    public EncodedKey nothing() {
        return EncodedKey.of(head() + ":none");
    }

    private String head() {
        int slash = tag.indexOf('/');
        boolean hasNamespace = slash >= 0 && slash < tag.indexOf(':');
        return (hasNamespace ? tag.substring(0, slash + 1) : "") + RESERVED_TYPE + "{" + tag + "}";
    }

    public int slot() {
        return EncodedKey.of(tag).slot();
    }

    public Element nameOf(EncodedKey key) {
        String text = key.text();
        return Element.of(text.equals(tag) ? "" : text.replace("{" + tag + "}", ""));
    }

    public EncodedKey keyOf(Element name) {
        String text = name.text();
        int behindType = text.indexOf(':') + 1;
        return text.isEmpty()
                ? EncodedKey.of(tag)
                : EncodedKey.of(text.substring(0, behindType) + "{" + tag + "}" + text.substring(behindType));
    }
}
