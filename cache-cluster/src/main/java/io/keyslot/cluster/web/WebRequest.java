// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request within {@link WebLimits}. For one thread. */
public final class WebRequest {
    private final HttpExchange exchange;
    private @Nullable Map<String, String> form;

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

    /** Returns a field of the posted form, empty if absent. */
    public String field(String name) throws IOException {
        Map<String, String> read = form;
        if (read == null) {
            read = decoded(new String(body(), StandardCharsets.UTF_8));
            form = read;
        }
        return read.getOrDefault(name, "");
    }

    private byte[] body() throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(WebLimits.MOST_BODY_BYTES + 1);
        if (body.length > WebLimits.MOST_BODY_BYTES) {
            throw new BadRequestException(413, "A request has at most %d bytes".formatted(WebLimits.MOST_BODY_BYTES));
        }
        return body;
    }

    /** Throws {@link BadRequestException} if it declares a larger body than allowed. */
    void requireFit() throws BadRequestException {
        if (exchange.getRequestURI().toString().length() > WebLimits.MOST_TARGET_CHARACTERS) {
            throw new BadRequestException(
                    414, "A path has at most %d characters".formatted(WebLimits.MOST_TARGET_CHARACTERS));
        }
        String length = header("Content-Length");
        if (!length.isEmpty()
                && (!length.matches("\\d{1,9}") || Integer.parseInt(length) > WebLimits.MOST_BODY_BYTES)) {
            throw new BadRequestException(413, "A request has at most %d bytes".formatted(WebLimits.MOST_BODY_BYTES));
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
            throw new BadRequestException(400, "What was sent is not a form: " + e.getMessage());
        }
        return fields;
    }
}
