// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.time.Duration;

/**
 * How long operations may wait for partitions. Time in the application's own code on the caller's thread (loader,
 * writer, processor, listeners, codec) does not count. A bulk operation gets the call's deadline once for every 500
 * keys. An atomic change that loses against another writer starts over with a new deadline, for at most 5 seconds.
 *
 * @param call for a whole operation including retries; 500 ms by default
 * @param command for one command to one partition; 200 ms by default
 * @param connect for a connection: name resolution, TCP, TLS, login and handshake, without the time in which
 *     this process could not read; 2 s by default. No call waits for it
 */
public record Deadlines(Duration call, Duration command, Duration connect) {
    public static Deadlines defaults() {
        return new Deadlines(Duration.ofMillis(500), Duration.ofMillis(200), Duration.ofSeconds(2));
    }
}
