// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

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

    /** The start of one manager by one thread, for which others wait. Thread-safe. */
    static final class ManagerStart {
        private final Thread starter = Thread.currentThread();
        private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

        /** The outcome of the start: either the manager or the failure is null. */
        record Outcome(
                @Nullable KeyslotCacheManager manager,
                @Nullable Throwable failure) {
            /** Returns the manager, or throws a new exception, so that each waiting thread has its own. */
            KeyslotCacheManager orThrow() {
                if (failure != null) {
                    throw new CacheException(failure.getMessage(), failure);
                }
                return Objects.requireNonNull(manager);
            }
        }

        void succeed(KeyslotCacheManager manager) {
            outcome.complete(new Outcome(manager, null));
        }

        void fail(Throwable failure) {
            outcome.complete(new Outcome(null, failure));
        }

        CompletableFuture<Outcome> outcome() {
            return outcome;
        }

        /** Throws if the starting thread would wait for itself. */
        void requireOtherThread() {
            if (!outcome.isDone() && starter.equals(Thread.currentThread())) {
                throw new IllegalStateException("This thread is starting the same cache manager");
            }
        }

        /** Returns whether the manager was closed, so that another one may take its place. */
        boolean isClosed() {
            Outcome known = outcome.getNow(null);
            return known != null && known.manager != null && known.manager.isClosed();
        }

        boolean isOf(KeyslotCacheManager manager) {
            Outcome known = outcome.getNow(null);
            return known != null && manager.equals(known.manager);
        }

        /** Closes the manager; if it is being started, its starting thread closes it afterwards. */
        void close() {
            Outcome known = outcome.getNow(null);
            if (known != null) {
                close(known);
            } else {
                CompletableFuture<Void> unused = outcome.thenAccept(ManagerStart::close);
            }
        }

        private static void close(Outcome known) {
            if (known.manager != null) {
                known.manager.close();
            }
        }
    }
}
