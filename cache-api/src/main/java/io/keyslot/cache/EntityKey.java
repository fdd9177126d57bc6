// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.slot.KeyText;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The key {@code entity_type:ID} under which an entry is stored, alone or as a member of a group.
 *
 * <p>All members of a group have the hash slot of its root, and so are in one partition:
 * <pre>{@code
 * EntityKey customer = EntityKey.of("customer", 99);              // customer:99
 * EntityKey order = EntityKey.of("order", 1001).in(customer);     // order:{customer:99}:1001
 * EntityKey details = EntityKey.of("customer_details").in(customer); // customer_details:{customer:99}
 * }</pre>
 *
 * @param type the entity type, not empty
 * @param id the id within the type; empty only for the single entry of its type in a group (vertical partitioning)
 * @param group the root of the group, null if the key is a root or in no group
 */
public record EntityKey(String type, String id, @Nullable EntityKey group) implements Serializable {
    private static final long serialVersionUID = 1L;

    public EntityKey {
        if (type.isEmpty()) {
            throw new IllegalArgumentException("Entity key: the entity type is empty");
        }
        if (group != null && group.group() != null) {
            throw new IllegalArgumentException("Entity key %s: the root of a group is not in a group itself, but %s is"
                    .formatted(type, group.type()));
        }
    }

    /** Returns the key of an entity. */
    public static EntityKey of(String type, String id) {
        return new EntityKey(type, id, null);
    }

    /** Returns the key of an entity with a numeric id. */
    public static EntityKey of(String type, long id) {
        return of(type, Long.toString(id));
    }

    /** Returns a key without an id, for the single entry of its type {@link #in} a group. */
    public static EntityKey of(String type) {
        return of(type, "");
    }

    /** Returns this key as a member of a group. */
    public EntityKey in(EntityKey root) {
        return new EntityKey(type, id, root);
    }

    /** Returns the root of the group, which is this key itself if it is in no group. */
    public EntityKey root() {
        return group == null ? this : group;
    }

    /** Returns the text form, with the root in braces if this is a member of a group. */
    public String text() {
        String head = KeyText.escapeType(type) + ":";
        if (group == null) {
            return head + KeyText.escapeId(id);
        }
        String member = head + "{" + group.text() + "}";
        return id.isEmpty() ? member : member + ":" + KeyText.escapeId(id);
    }

    /**
     * Parses the text form.
     *
     * @throws IllegalArgumentException if the text is not the {@link #text} of an entity key
     */
    public static EntityKey parse(String text) {
        EntityKey key = read(text);
        // A second text for the same key would be a second entry.
        if (!key.text().equals(text)) {
            throw new IllegalArgumentException(
                    "Entity key: is not escaped as the text of an entity key is, or has an empty id at its end");
        }
        return key;
    }

    private static EntityKey read(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("Entity key: must have the form entity_type:ID, such as customer:99");
        }
        String type = KeyText.unescape(text.substring(0, colon));
        String rest = text.substring(colon + 1);
        if (!rest.startsWith("{")) {
            return of(type, KeyText.unescape(rest));
        }
        int close = rest.indexOf('}');
        if (close < 0 || (close + 1 < rest.length() && !rest.startsWith(":", close + 1))) {
            throw new IllegalArgumentException(
                    "Entity key: a member of a group must have the form entity_type:{root}:ID, such as"
                            + " order:{customer:99}:1001");
        }
        String id = close + 1 == rest.length() ? "" : rest.substring(close + 2);
        return of(type, KeyText.unescape(id)).in(read(rest.substring(1, close)));
    }

    @Override
    public String toString() {
        return text();
    }
}
