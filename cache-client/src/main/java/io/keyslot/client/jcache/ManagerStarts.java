// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The places of a provider's managers: one for each URI and class loader. Safe for use by several threads. Its lock is held
 * for moments only: nobody starts or closes a manager meanwhile.
 */
final class ManagerStarts {
    private final Map<ClassLoader, Map<URI, ManagerStart>> starts = new HashMap<>();

    /** Returns the start of the manager that there is, or is about to be; the given one if there is none. */
    synchronized ManagerStart startOf(URI uri, ClassLoader loader, ManagerStart mine) {
        Map<URI, ManagerStart> ofLoader = starts.computeIfAbsent(loader, same -> new HashMap<>());
        ManagerStart present = ofLoader.get(uri);
        if (present != null && !present.isClosed()) {
            return present;
        }
        ofLoader.put(uri, mine);
        return mine;
    }

    /** Removes all managers, and returns them. */
    synchronized List<ManagerStart> takeAll() {
        List<ManagerStart> all = new ArrayList<>();
        starts.values().forEach(ofLoader -> all.addAll(ofLoader.values()));
        starts.clear();
        return all;
    }

    /** Removes the managers of a class loader, and returns them. */
    synchronized List<ManagerStart> takeAll(ClassLoader loader) {
        Map<URI, ManagerStart> ofLoader = starts.remove(loader);
        return ofLoader == null ? List.of() : new ArrayList<>(ofLoader.values());
    }

    /** Removes one manager, and returns it if there was one. */
    synchronized List<ManagerStart> take(URI uri, ClassLoader loader) {
        ManagerStart start = starts.getOrDefault(loader, new HashMap<>()).remove(uri);
        return start == null ? List.of() : List.of(start);
    }

    /** Frees the place of a manager that was closed. */
    synchronized void forget(KeyslotCacheManager manager) {
        ManagerStart start =
                starts.getOrDefault(manager.getClassLoader(), Map.of()).get(manager.getURI());
        if (start != null && start.isOf(manager)) {
            forget(manager.getURI(), manager.getClassLoader(), start);
        }
    }

    /** Frees a place if this start still has it. */
    synchronized void forget(URI uri, ClassLoader loader, ManagerStart start) {
        Map<URI, ManagerStart> ofLoader = starts.get(loader);
        if (ofLoader != null && ofLoader.remove(uri, start) && ofLoader.isEmpty()) {
            starts.remove(loader);
        }
    }
}
