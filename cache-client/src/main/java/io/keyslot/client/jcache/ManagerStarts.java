// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The managers of a provider by URI and class loader. Thread-safe; not locked while managers start or close. */
final class ManagerStarts {
    private final Map<ClassLoader, Map<URI, ManagerStart>> starts = new HashMap<>();

    /** Returns the start of the present manager, or adds and returns {@code mine} if there is none. */
    synchronized ManagerStart startOf(URI uri, ClassLoader loader, ManagerStart mine) {
        Map<URI, ManagerStart> ofLoader = starts.computeIfAbsent(loader, same -> new HashMap<>());
        ManagerStart present = ofLoader.get(uri);
        if (present != null && !present.isClosed()) {
            return present;
        }
        ofLoader.put(uri, mine);
        return mine;
    }

    synchronized List<ManagerStart> takeAll() {
        List<ManagerStart> all = new ArrayList<>();
        starts.values().forEach(ofLoader -> all.addAll(ofLoader.values()));
        starts.clear();
        return all;
    }

    synchronized List<ManagerStart> takeAll(ClassLoader loader) {
        Map<URI, ManagerStart> ofLoader = starts.remove(loader);
        return ofLoader == null ? List.of() : new ArrayList<>(ofLoader.values());
    }

    synchronized List<ManagerStart> take(URI uri, ClassLoader loader) {
        ManagerStart start = starts.getOrDefault(loader, new HashMap<>()).remove(uri);
        return start == null ? List.of() : List.of(start);
    }

    synchronized void forget(KeyslotCacheManager manager) {
        ManagerStart start =
                starts.getOrDefault(manager.getClassLoader(), Map.of()).get(manager.getURI());
        if (start != null && start.isOf(manager)) {
            forget(manager.getURI(), manager.getClassLoader(), start);
        }
    }

    synchronized void forget(URI uri, ClassLoader loader, ManagerStart start) {
        Map<URI, ManagerStart> ofLoader = starts.get(loader);
        if (ofLoader != null && ofLoader.remove(uri, start) && ofLoader.isEmpty()) {
            starts.remove(loader);
        }
    }
}
