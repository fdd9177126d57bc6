// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.keyslot.it.fault.FaultProxy;
import io.keyslot.it.fault.NetworkFault;
import io.keyslot.it.fault.Resp;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Messages of a near cache are lost, with their connection or without: nothing is found that is older than allowed, and nothing
 * older than what was found before.
 */
@Tag("thorough")
@SideBySide
class NearConnectionFaultsIT {
    private static final Duration BEFORE = Duration.ofMillis(200);
    private static final Duration BRIEF = Duration.ofMillis(50);
    private static final Duration LONG = NearRun.STALENESS.multipliedBy(2);
    private static final Duration AFTERWARDS = Duration.ofMillis(500);

    /** What happens to the connection of the process with the near cache. */
    enum Fault {
        KILLED {
            @Override
            void happens(LocalServer server, FaultProxy network, NearRun run) throws Exception {
                for (int i = 0; i < 8; i++) {
                    Resp.run(server.port(), "CLIENT", "KILL", "TYPE", "normal");
                    run.goOn(BRIEF);
                }
            }
        },
        RESET {
            @Override
            void happens(LocalServer server, FaultProxy network, NearRun run) throws Exception {
                for (int i = 0; i < 8; i++) {
                    network.set(NetworkFault.RESET);
                    network.set(NetworkFault.NONE);
                    run.goOn(BRIEF);
                }
            }
        },
        BLACK_HOLE {
            @Override
            void happens(LocalServer server, FaultProxy network, NearRun run) throws Exception {
                network.set(NetworkFault.BLACK_HOLE);
                run.goOn(LONG);
                network.set(NetworkFault.NONE);
            }
        },
        HALF_OPEN {
            @Override
            void happens(LocalServer server, FaultProxy network, NearRun run) throws Exception {
                network.set(NetworkFault.HALF_OPEN);
                run.goOn(LONG);
                network.set(NetworkFault.NONE);
            }
        },
        FROZEN_AND_DELIVERED_LATE {
            @Override
            void happens(LocalServer server, FaultProxy network, NearRun run) throws Exception {
                network.set(NetworkFault.FREEZE);
                run.goOn(LONG);
                network.set(NetworkFault.NONE);
            }
        },
        SLOW {
            @Override
            void happens(LocalServer server, FaultProxy network, NearRun run) throws Exception {
                network.set(NetworkFault.DELAY);
                run.goOn(LONG);
                network.set(NetworkFault.NONE);
            }
        },
        SERVER_STANDS_STILL {
            @Override
            void happens(LocalServer server, FaultProxy network, NearRun run) {
                server.suspend();
                run.goOn(LONG);
                server.resume();
            }
        };

        abstract void happens(LocalServer server, FaultProxy network, NearRun run) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void whateverHappensToItsConnection_nothingIsTooOld(Fault fault) throws Exception {
        try (LocalServers servers = TestServers.none()) {
            LocalServer server = servers.start();
            try (FaultProxy network = new FaultProxy(server.port());
                    NearRun run = new NearRun(server.port(), network.uri(), server.uri())) {
                run.begin();
                run.goOn(BEFORE);
                fault.happens(server, network, run);
                run.goOn(AFTERWARDS);
                run.assertNear(run.end(fault.name()));
            }
        }
    }
}
