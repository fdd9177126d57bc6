// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The paths of a server. A path is looked up as it was sent and never becomes a file name. */
public final class WebTable {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    private final Map<String, Map<String, WebHandler>> handlers = new HashMap<>();
    private @Nullable String pathOfEvents;

    public WebTable get(String path, WebHandler handler) {
        return add(path, "GET", handler);
    }

    public WebTable post(String path, WebHandler handler) {
        return add(path, "POST", handler);
    }

    /** Adds a resource next to a class, which is read now. */
    public WebTable file(String path, Class<?> beside, String name) {
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
        WebAnswer content = WebAnswer.file(type, read(beside, name));
        return get(path, request -> content);
    }

    public WebTable events(String path) {
        pathOfEvents = path;
        return get(path, request -> WebAnswer.refused(404, "The stream is served elsewhere"));
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

    Optional<WebHandler> handler(WebRequest request) {
        return Optional.ofNullable(handlers.get(request.path()))
                .map(found -> found.getOrDefault(
                        request.method(),
                        asked -> WebAnswer.refused(405, "This method is not allowed here")
                                .with("Allow", String.join(", ", found.keySet()))));
    }
}
