// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/**
 * The change feed of a cache: a list of its changes at each partition, with bounds.
 *
 * @param name the namespace and the entity type of the cache: {@code shop:book}
 * @param keepMillis the age beyond which changes are removed; also how long an unused feed stays
 * @param atMost the approximate number of changes beyond which the oldest are removed
 * @param hasValues whether changes contain the stored values
 */
public record Feed(String name, long keepMillis, int atMost, boolean hasValues) {
    /** Returns the name of the feed of the cache with this entity type. */
    public static String nameOf(String namespace, String entityType) {
        return namespace + ":" + entityType;
    }
}
