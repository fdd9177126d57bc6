// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.keyslot.client.json.CanonicalJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The response to a request. Immutable. */
public final class WebAnswer {
    private static final int NO_BODY = -1;
    private static final String JSON = "application/json";

    /** No foreign resources, no inline scripts, no frames, and no caching by browsers or proxies. */
    private static final Map<String, String> ALWAYS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
                    + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    private WebAnswer(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    public static WebAnswer json(Object value) {
        return json(CanonicalJson.write(value));
    }

    public static WebAnswer json(String text) {
        return new WebAnswer(200, Map.of("Content-Type", JSON), text.getBytes(StandardCharsets.UTF_8));
    }

    public static WebAnswer refused(int status, String why) {
        return new WebAnswer(
                status,
                Map.of("Content-Type", JSON),
                CanonicalJson.write(Map.of("problem", why)).getBytes(StandardCharsets.UTF_8));
    }

    static WebAnswer file(String type, byte[] content) {
        return new WebAnswer(200, Map.of("Content-Type", type), content.clone());
    }

    public WebAnswer with(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new WebAnswer(status, more, body);
    }

    void send(HttpExchange exchange) throws IOException {
        putHeaders(exchange.getResponseHeaders(), headers);
        // A HEAD request gets no body; the JDK's server would log a warning.
        boolean hasBody = body.length > 0 && !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, hasBody ? body.length : NO_BODY);
        try (OutputStream out = exchange.getResponseBody()) {
            if (hasBody) {
                out.write(body);
            }
        }
    }

    static void putHeaders(Headers all, Map<String, String> more) {
        ALWAYS.forEach(all::set);
        more.forEach(all::set);
    }
}
