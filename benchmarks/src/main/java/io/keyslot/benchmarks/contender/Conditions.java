// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import java.net.URI;
import java.util.List;

/**
 * What all contenders are given.
 *
 * @param servers the addresses of the servers; a contender that cannot spread entries over several uses the first
 * @param lifetime how long entries live
 */
public record Conditions(List<URI> servers, Lifetime lifetime) {
    public Conditions {
        servers = List.copyOf(servers);
    }
}
