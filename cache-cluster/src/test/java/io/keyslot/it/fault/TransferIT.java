// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.it.OtherJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight threads in two processes move amounts between fifty hashes of one group, while the server's connections are broken
 * again and again, and a third process looks at all of them together.
 */
@Tag("thorough")
class TransferIT {
    private static final long SEED = 20_24;
    private static final int BREAKS = 12;

    /** Long enough for some transfers even where the machine is so busy that there are none between two breaks. */
    private static final Duration UNDISTURBED = Duration.ofSeconds(4);

    private static final Duration BETWEEN_BREAKS = Duration.ofMillis(1_200);

    @Test
    void total_neverChangesAndAcknowledgedTransfersAreThere(@TempDir Path directory) throws Exception {
        AtomicBoolean running = new AtomicBoolean(true);
        ExecutorService observing = Executors.newSingleThreadExecutor();
        try (LocalServers local = LocalServers.create()) {
            List<LocalServer> servers = local.start(3);
            List<String> addresses = servers.stream().map(LocalServer::uri).toList();
            try (PartitionedCacheManager manager = Transfers.open("observer", addresses);
                    OtherJvm left = start("left", directory, addresses);
                    OtherJvm right = start("right", directory, addresses)) {
                CacheGroup group = Transfers.groupOf(manager);
                Transfers.openAccounts(group);
                left.awaitLine(TransferMain.READY);
                right.awaitLine(TransferMain.READY);
                Future<List<Long>> totals = observing.submit(() -> observe(group, running));
                left.say("go");
                right.say("go");
                breakConnections(serverOf(group, servers), left);
                stop(left);
                stop(right);
                running.set(false);

                assertThat(totals.get())
                        .as("totals that were seen, seed %d", SEED)
                        .isNotEmpty();
                assertThat(Set.copyOf(totals.get())).containsExactly(Transfers.TOTAL);
                assertThat(Transfers.total(group)).isEqualTo(Transfers.TOTAL);
                check(Transfers.applied(group), outcomes(directory));
            }
        } finally {
            running.set(false);
            observing.shutdownNow();
        }
    }

    private static OtherJvm start(String name, Path directory, List<String> addresses) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of(name, directory.resolve(name).toString(), Long.toString(SEED + name.length())));
        arguments.addAll(addresses);
        return OtherJvm.start(TransferMain.class, arguments.toArray(String[]::new));
    }

    private static void stop(OtherJvm jvm) throws Exception {
        jvm.say("stop");
        jvm.awaitLine(TransferMain.DONE);
        jvm.awaitSuccess();
    }

    private static LocalServer serverOf(CacheGroup group, List<LocalServer> servers) {
        return servers.get(Integer.parseInt(group.partition().name().substring(1)) - 1);
    }

    private static void breakConnections(LocalServer server, OtherJvm jvm) throws Exception {
        for (int i = 0; i < BREAKS; i++) {
            jvm.runFor(BETWEEN_BREAKS);
            Resp.run(server.port(), "CLIENT", "KILL", "TYPE", "normal");
        }
        jvm.runFor(UNDISTURBED);
    }

    /** Returns all totals that one transaction has seen; some fail, as the partition is missing for a moment. */
    private static List<Long> observe(CacheGroup group, AtomicBoolean running) {
        List<Long> totals = new ArrayList<>();
        while (running.get()) {
            try {
                totals.add(Transfers.total(group));
            } catch (PartitionUnavailableException | CacheOverloadedException missing) {
                assertThat(missing).hasMessageContaining("bank:one");
            }
        }
        return totals;
    }

    private static List<String> outcomes(Path directory) throws Exception {
        List<String> outcomes = new ArrayList<>(Files.readAllLines(directory.resolve("left")));
        outcomes.addAll(Files.readAllLines(directory.resolve("right")));
        return outcomes;
    }

    private static void check(List<String> applied, List<String> outcomes) {
        Set<String> expected = idsOf(TransferMain.Outcome.APPLIED, outcomes);
        Set<String> refused = idsOf(TransferMain.Outcome.REFUSED, outcomes);
        Set<String> unknown = idsOf(TransferMain.Outcome.UNKNOWN, outcomes);

        assertThat(applied).doesNotHaveDuplicates().containsAll(expected).noneMatch(refused::contains);
        Set<String> rest = new TreeSet<>(applied);
        rest.removeAll(expected);
        assertThat(unknown).as("applied without acknowledgement").containsAll(rest);
        assertThat(expected).as("transfers in the time of the test").isNotEmpty();
    }

    private static Set<String> idsOf(TransferMain.Outcome outcome, List<String> outcomes) {
        Set<String> ids = new TreeSet<>();
        outcomes.stream()
                .filter(line -> line.startsWith(outcome.line("")))
                .forEach(line -> ids.add(line.substring(outcome.line("").length())));
        return ids;
    }
}
