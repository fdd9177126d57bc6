// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.cache.EntityKey;

/** How the entries of a program are kept. */
enum Form {
    PLAIN,
    /** Listed in the index of the group that each of them is the root of. */
    INDEXED,
    /** Members of one group, listed in its index. */
    GROUPED;

    static final EntityKey ROOT = EntityKey.of("root", 1);

    /** The entity type of the entries. */
    static final String TYPE = "number";

    /** Returns the key of an entry by its name. */
    Object keyOf(String name) {
        return this == GROUPED ? EntityKey.of(TYPE, name).in(ROOT) : name;
    }

    static String nameOf(Object key) {
        return key instanceof EntityKey member ? member.id() : (String) key;
    }
}
