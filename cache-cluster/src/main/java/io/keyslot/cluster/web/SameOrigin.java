// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.util.Set;

/**
 * Whether a request comes from the page itself, or from a program of this machine. A page of somebody else that is open in the same
 * browser is kept out: one whose name leads to this machine by its {@code Host}, one that posts forms by its {@code Origin}. Pure.
 */
final class SameOrigin {
    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> SITES = Set.of("", "same-origin", "none");
    private static final String SCHEME = "http://";

    private SameOrigin() {}

    /** Returns whether it asks for this machine by a name that nobody else can have; the port may be that of a tunnel. */
    static boolean isAskedByName(String host) {
        int port = host.lastIndexOf(':');
        boolean hasPort =
                port > host.lastIndexOf(']') && host.substring(port + 1).matches("\\d{1,5}");
        return HOSTS.contains(hasPort ? host.substring(0, port) : host);
    }

    /** Returns whether no page of another origin has sent it, as far as the browser says. */
    static boolean isOfThePage(WebRequest request) {
        String origin = request.header("Origin");
        boolean isOwn = origin.isEmpty() || origin.equals(SCHEME + request.header("Host"));
        // Whoever follows a link to the page comes from another site, and is shown what is public.
        return isOwn && (request.path().equals("/") || SITES.contains(request.header("Sec-Fetch-Site")));
    }
}
