// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A request within {@link WebLimits}. For one thread. */
public final class WebRequest {
    private final HttpExchange exchange;

    WebRequest(HttpExchange exchange) {
        this.exchange = exchange;
    }

    static final class BadRequestException extends IOException {
        private static final long serialVersionUID = 1;

        private final int status;

        BadRequestException(int status, String message) {
            super(message);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    String method() {
        return exchange.getRequestMethod();
    }

    /** Returns the path as it was sent, without decoding or normalization. Empty for a target with a host. */
    String path() {
        URI target = exchange.getRequestURI();
        return target.getScheme() == null && target.getRawAuthority() == null
                ? String.valueOf(target.getRawPath())
                : "";
    }

    /** Returns a header field, empty if absent. */
    public String header(String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    /** Returns a query parameter, empty if absent. */
    public String asked(String name) throws IOException {
        return decoded(String.valueOf(exchange.getRequestURI().getRawQuery())).getOrDefault(name, "");
    }

    /** Throws {@link BadRequestException} if the path is too long, or if there is a body. */
    void requireFit() throws BadRequestException {
        if (exchange.getRequestURI().toString().length() > WebLimits.MOST_TARGET_CHARACTERS) {
            throw new BadRequestException(
                    414, "A path has at most %d characters".formatted(WebLimits.MOST_TARGET_CHARACTERS));
        }
        if (!Set.of("", "0").contains(header("Content-Length"))
                || !header("Transfer-Encoding").isEmpty()) {
            throw new BadRequestException(413, "A request has no body");
        }
    }

    private static Map<String, String> decoded(String text) throws BadRequestException {
        Map<String, String> fields = new HashMap<>();
        try {
            for (String field : text.split("&", -1)) {
                String[] parts = field.split("=", 2);
                if (parts.length == 2) {
                    fields.put(
                            URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                            URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
                }
            }
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(400, "That is not a query: " + e.getMessage());
        }
        return fields;
    }
}
