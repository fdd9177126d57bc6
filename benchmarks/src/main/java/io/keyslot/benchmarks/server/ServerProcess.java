// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.server;

import java.net.URI;

/** A server on this machine, with the process id for its CPU time. */
public record ServerProcess(URI uri, long pid) {
    /** Parses the form of {@link #toString}: {@code redis://127.0.0.1:7001#1234}. */
    public static ServerProcess parse(String text) {
        URI whole = URI.create(text.strip());
        if (whole.getFragment() == null) {
            throw new IllegalArgumentException(
                    "A server is \"%s\", must be an address and a process id: redis://127.0.0.1:7001#1234"
                            .formatted(text));
        }
        String address = text.strip().substring(0, text.strip().indexOf('#'));
        return new ServerProcess(URI.create(address), Long.parseLong(whole.getFragment()));
    }

    @Override
    public String toString() {
        return uri + "#" + pid;
    }
}
