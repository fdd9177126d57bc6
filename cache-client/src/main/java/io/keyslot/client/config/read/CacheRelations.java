// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks that the caches of a configuration fit together. */
final class CacheRelations {
    private final Map<String, CacheDraft> byType = new HashMap<>();

    private static final String RESERVED = "keyslot";

    private CacheRelations() {}

    static void check(List<CacheDraft> caches, String namespace) {
        if (namespace.isEmpty()) {
            caches.forEach(CacheRelations::checkReserved);
        }
        CacheRelations relations = new CacheRelations();
        caches.forEach(relations::checkType);
        caches.forEach(relations::checkGroup);
    }

    private static void checkReserved(CacheDraft cache) {
        if (cache.entityType().equals(RESERVED)) {
            cache.section()
                    .problem(
                            "entityType",
                            "is \"keyslot\", which Keyslot uses itself: name another one, or set a namespace");
        }
    }

    private void checkType(CacheDraft cache) {
        CacheDraft first = byType.putIfAbsent(cache.entityType(), cache);
        if (first != null) {
            cache.section()
                    .problem(
                            "entityType",
                            "is %s, as that of the cache %s: each cache needs its own"
                                    .formatted(Shown.quoted(cache.entityType()), Shown.key(first.name())));
        }
    }

    private void checkGroup(CacheDraft cache) {
        String root = cache.options().groupedBy();
        if (root == null) {
            return;
        }
        CacheDraft rootCache = byType.get(root);
        if (root.equals(cache.entityType())) {
            cache.section().problem("groupedBy", "is the entity type of the cache itself, must be that of another");
        } else if (rootCache != null && rootCache.options().groupedBy() != null) {
            cache.section()
                    .problem(
                            "groupedBy",
                            "is %s, which is in a group itself: name the root of that group"
                                    .formatted(Shown.quoted(root)));
        }
    }
}
