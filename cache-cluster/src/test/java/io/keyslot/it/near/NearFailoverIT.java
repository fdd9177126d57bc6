// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.keyslot.it.fault.FaultProxy;
import io.keyslot.it.fault.NetworkFault;
import io.keyslot.it.fault.Resp;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A replica takes the place of its primary: nothing is found that is too old, and what was not heard is told as a gap. */
@Tag("thorough")
@SideBySide
class NearFailoverIT {
    private static final Duration BEFORE = Duration.ofMillis(500);
    private static final Duration AFTERWARDS = Duration.ofMillis(1_500);

    /** How a failover comes about; the address of the reader leads to the replica afterwards. */
    enum Failover {
        PRIMARY_IS_KILLED(NearRun.STALENESS) {
            @Override
            void happens(LocalServer primary, LocalServer replica, FaultProxy reader, FaultProxy writer)
                    throws IOException {
                primary.kill();
                promote(replica);
                writer.leadTo(replica.port());
                reader.leadTo(replica.port());
            }
        },
        PRIMARY_STANDS_STILL(NearRun.STALENESS) {
            @Override
            void happens(LocalServer primary, LocalServer replica, FaultProxy reader, FaultProxy writer)
                    throws IOException {
                primary.suspend();
                promote(replica);
                moved(writer, replica);
                reader.leadTo(replica.port());
            }
        },

        /** What answers the reader is a replica of nobody, and has what it had: found out within a second, as by any read. */
        PRIMARY_IS_DEMOTED_AND_STILL_READ(Duration.ofSeconds(1).plus(NearRun.STALENESS)) {
            @Override
            void happens(LocalServer primary, LocalServer replica, FaultProxy reader, FaultProxy writer)
                    throws IOException {
                promote(replica);
                reader.leadTo(replica.port());
                Resp.run(primary.port(), "REPLICAOF", "127.0.0.1", "1");
                moved(writer, replica);
            }
        };

        private final Duration longestAge;

        Failover(Duration longestAge) {
            this.longestAge = longestAge;
        }

        abstract void happens(LocalServer primary, LocalServer replica, FaultProxy reader, FaultProxy writer)
                throws IOException;

        private static void promote(LocalServer replica) throws IOException {
            Resp.run(replica.port(), "REPLICAOF", "NO", "ONE");
        }

        private static void moved(FaultProxy address, LocalServer server) throws IOException {
            address.leadTo(server.port());
            address.set(NetworkFault.RESET);
            address.set(NetworkFault.NONE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void afterAFailover_nothingIsTooOld_andNothingIsLostWithoutAGap(Failover failover) throws Exception {
        try (LocalServers servers = TestServers.none()) {
            LocalServer primary = servers.start("--repl-diskless-sync-delay", "0");
            LocalServer replica = servers.start("--replicaof", "127.0.0.1 " + primary.port());
            Awaitility.await()
                    .until(() -> Resp.run(replica.port(), "INFO", "replication").contains("master_link_status:up"));
            try (FaultProxy reader = new FaultProxy(primary.port());
                    FaultProxy writer = new FaultProxy(primary.port());
                    NearRun run = new NearRun(
                            List.of(replica.port()),
                            NearCaches.open("reader", List.of(reader.uri()), Map.of()),
                            NearCaches.open("writer", List.of(writer.uri()), Map.of()),
                            Duration.ZERO,
                            failover.longestAge);
                    WrittenOnce events = new WrittenOnce(run.reading(), run.writing())) {
                run.begin();
                events.begin();
                run.goOn(BEFORE);
                failover.happens(primary, replica, reader, writer);
                run.goOn(AFTERWARDS);
                events.end(failover.name());
                run.assertNear(run.end(failover.name()));
            }
        }
    }
}
