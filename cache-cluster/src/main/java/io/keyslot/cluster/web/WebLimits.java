// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.time.Duration;
import java.util.Map;

/** How much strangers may ask of the server: everything has a bound. */
final class WebLimits {
    /** So many may have a stream of events at a time; who comes then is refused with 503. */
    public static final int MOST_STREAMS = 64;

    /** So many messages wait for a stream whose reader is slow; at the next one the stream is closed. */
    public static final int MOST_WAITING_MESSAGES = 16;

    /** The bytes that come after the header of a request. */
    public static final int MOST_BODY_BYTES = 4_096;

    /** The header of a request; its connection is closed if it is larger. */
    public static final int MOST_HEADER_BYTES = 16_384;

    /** A path and what is asked behind it. */
    public static final int MOST_TARGET_CHARACTERS = 2_048;

    /** So many requests are answered at a time. */
    static final int MOST_WORKERS = 32;

    /** So many wait for that; the connection of the next one is closed. */
    static final int MOST_WAITING_REQUESTS = 256;

    /** So often a stream is written to, if only to find out whether its reader is there. */
    static final Duration BETWEEN_HEARTBEATS = Duration.ofSeconds(5);

    /** What the server of the JDK is told by system properties, once for each process, unless somebody has told it otherwise. */
    private static final Map<String, Integer> OF_THE_JDK = Map.of(
            "sun.net.httpserver.maxReqHeaders", 64,
            "sun.net.httpserver.maxReqHeaderSize", MOST_HEADER_BYTES,
            "sun.net.httpserver.maxReqTime", 5,
            "jdk.httpserver.maxConnections", 512);

    private WebLimits() {}

    /** Sets what has to be set before the first server of this process is made. */
    static void setSystemProperty() {
        OF_THE_JDK.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, Integer.toString(value));
            }
        });
    }
}
