// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import java.net.URI;
import java.util.List;

/** The conditions for all contenders. A contender that cannot spread entries over several servers uses the first. */
public record Conditions(List<URI> servers, Lifetime lifetime) {
    public Conditions {
        servers = List.copyOf(servers);
    }
}
