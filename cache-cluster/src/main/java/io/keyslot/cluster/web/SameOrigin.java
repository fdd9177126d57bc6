// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.util.Set;

/**
 * Rejects requests of other sites in the same browser: DNS rebinding by the {@code Host}, forms of other sites by the
 * {@code Origin}. Pure.
 */
final class SameOrigin {
    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> SITES = Set.of("", "same-origin", "none");
    private static final String SCHEME = "http://";

    private SameOrigin() {}

    /** Returns whether the host is a local name that no other site can have; the port may be that of a tunnel. */
    static boolean isAskedByName(String host) {
        int port = host.lastIndexOf(':');
        boolean hasPort =
                port > host.lastIndexOf(']') && host.substring(port + 1).matches("\\d{1,5}");
        return HOSTS.contains(hasPort ? host.substring(0, port) : host);
    }

    /** Returns whether no page of another origin has sent it, according to the browser. */
    static boolean isOfThePage(WebRequest request) {
        String origin = request.header("Origin");
        boolean isOwn = origin.isEmpty() || origin.equals(SCHEME + request.header("Host"));
        // Links from other sites may lead to the page, which shows only public data.
        return isOwn && (request.path().equals("/") || SITES.contains(request.header("Sec-Fetch-Site")));
    }
}
