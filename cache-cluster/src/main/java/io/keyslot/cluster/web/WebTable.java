// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that a server has. A path is looked up here as it was sent, and is never made the name of a file: so there is no path that
 * leads outside.
 */
public final class WebTable {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    private final Map<String, Map<String, WebHandler>> handlers = new HashMap<>();
    private @Nullable String pathOfEvents;

    /** Adds what answers a question. */
    public WebTable get(String path, WebHandler handler) {
        return add(path, "GET", handler);
    }

    /** Adds what is told something. */
    public WebTable post(String path, WebHandler handler) {
        return add(path, "POST", handler);
    }

    /** Adds a file that stands beside a class; it is read now. */
    public WebTable file(String path, Class<?> beside, String name) {
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
        WebAnswer content = WebAnswer.file(type, read(beside, name));
        return get(path, request -> content);
    }

    /** Says where the stream of events is. */
    public WebTable events(String path) {
        pathOfEvents = path;
        return this;
    }

    private WebTable add(String path, String method, WebHandler handler) {
        handlers.computeIfAbsent(path, first -> new HashMap<>()).put(method, handler);
        return this;
    }

    private static byte[] read(Class<?> beside, String name) {
        try (InputStream file = beside.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("There is no %s beside %s".formatted(name, beside));
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isEvents(WebRequest request) {
        return request.path().equals(pathOfEvents) && request.method().equals("GET");
    }

    /** Returns what answers this request; empty if there is nothing there. */
    Optional<WebHandler> handler(WebRequest request) {
        Map<String, WebHandler> found = handlers.get(request.path());
        if (found == null) {
            return request.path().equals(pathOfEvents)
                    ? Optional.of(asked -> WebAnswer.refused(405, "Nobody does that here"))
                    : Optional.empty();
        }
        WebHandler handler = found.get(request.method());
        return Optional.of(
                handler != null
                        ? handler
                        : asked -> WebAnswer.refused(405, "Nobody does that here")
                                .with("Allow", String.join(", ", found.keySet())));
    }
}
