// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.time.Duration;
import java.util.Map;

/** The limits of the server. Everything that a request can use is bounded. */
final class WebLimits {
    /** The most event streams; further ones are refused with 503. */
    public static final int MOST_STREAMS = 64;

    /** The most messages that wait for a slow reader; at the next one its stream is closed. */
    public static final int MOST_WAITING_MESSAGES = 16;

    /** The most bytes of a request's header; beyond it the connection is closed. */
    public static final int MOST_HEADER_BYTES = 16_384;

    /** The most characters of a path with its query. */
    public static final int MOST_TARGET_CHARACTERS = 2_048;

    /** The most concurrent requests. */
    static final int MOST_WORKERS = 32;

    /** The most queued requests; the connection of the next one is closed. */
    static final int MOST_WAITING_REQUESTS = 256;

    /** The interval at which a heartbeat is written to an idle stream, to detect a reader that is gone. */
    static final Duration BETWEEN_HEARTBEATS = Duration.ofSeconds(5);

    /** System properties of the JDK's server, unless they are set; they apply to the whole process. */
    private static final Map<String, Integer> OF_THE_JDK = Map.of(
            "sun.net.httpserver.maxReqHeaders", 64,
            "sun.net.httpserver.maxReqHeaderSize", MOST_HEADER_BYTES,
            "sun.net.httpserver.maxReqTime", 5,
            "jdk.httpserver.maxConnections", 512);

    private WebLimits() {}

    /** Sets the properties. Call before the first server of this process is created. */
    static void setSystemProperty() {
        OF_THE_JDK.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, Integer.toString(value));
            }
        });
    }
}
