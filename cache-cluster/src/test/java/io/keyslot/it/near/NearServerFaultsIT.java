// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.keyslot.it.fault.Resp;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server forgets entries, or what it was to tell: nothing is found that has been gone for longer than allowed. */
@Tag("thorough")
@SideBySide
class NearServerFaultsIT {
    private static final Duration BEFORE = Duration.ofMillis(300);
    private static final Duration AFTERWARDS = Duration.ofMillis(600);
    private static final Pattern NUMBER = Pattern.compile("key-(\\d+)");
    private static final Duration LIFETIME = Duration.ofMillis(300);

    /** Two clocks are compared, one of which has milliseconds. */
    private static final Duration CLOCKS = Duration.ofMillis(20);

    /** What a value of a stranger takes of the server's memory. */
    private static final String LARGE = "x".repeat(20_000);

    private static NearRun run(LocalServer server) throws IOException {
        return new NearRun(server.port(), server.uri(), server.uri());
    }

    private static IntPredicate goneFrom(LocalServer server) throws IOException {
        Set<Integer> there = NUMBER.matcher(Resp.run(server.port(), "KEYS", "*key-*"))
                .results()
                .map((MatchResult found) -> Integer.valueOf(found.group(1)))
                .collect(Collectors.toSet());
        return key -> !there.contains(key);
    }

    @Test
    void removedByAll_isNotFoundAnyMore() throws Exception {
        try (LocalServers servers = TestServers.none()) {
            LocalServer server = servers.start();
            try (NearRun run = run(server)) {
                run.begin();
                for (String command : List.of("FLUSHALL", "FLUSHDB", "FLUSHALL")) {
                    run.goOn(BEFORE);
                    loseAll(run, server, command);
                }
                run.goOn(AFTERWARDS);
                run.assertNear(run.end("FLUSHALL"));
            }
        }
    }

    /** A writer is in the other's way only for keys that it writes itself: each says what is gone of its own. */
    private static void loseAll(NearRun run, LocalServer server, String command) throws Exception {
        run.writer().lose(() -> {
            run.ownWriter().lose(() -> {
                Resp.run(server.port(), command);
                return key -> true;
            });
            return key -> true;
        });
    }

    @Test
    void evicted_isNotFoundAnyMore() throws Exception {
        try (LocalServers servers = TestServers.none()) {
            LocalServer server = servers.start("--maxmemory-policy", "allkeys-random");
            try (NearRun run = run(server)) {
                run.begin();
                run.goOn(BEFORE);
                evict(run, server);
                run.goOn(AFTERWARDS);
                run.end("eviction");
            }
        }
    }

    private static void evict(NearRun run, LocalServer server) throws Exception {
        long used = number(server, "memory", "used_memory");
        Resp.run(server.port(), "CONFIG", "SET", "maxmemory", Long.toString(used + 2_000_000));
        try (Resp foreign = new Resp(server.port())) {
            for (int i = 0; i < 400; i++) {
                foreign.ask("SET", "stranger-" + i, LARGE);
                if (i % 20 == 0) {
                    run.writer().lose(() -> goneFrom(server));
                    run.ownWriter().lose(() -> goneFrom(server));
                }
            }
        }
        assertThat(number(server, "stats", "evicted_keys")).isPositive();
        Resp.run(server.port(), "CONFIG", "SET", "maxmemory", "0");
    }

    private static long number(LocalServer server, String section, String name) throws IOException {
        return Resp.run(server.port(), "INFO", section)
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(
                        line -> Long.parseLong(line.substring(name.length() + 1).trim()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void expired_isNotFoundAnyMore_thoughNobodyIsTold() throws Exception {
        try (LocalServers servers = TestServers.none()) {
            LocalServer server = servers.start("--enable-debug-command", "local");
            Resp.run(server.port(), "DEBUG", "SET-ACTIVE-EXPIRE", "0");
            List<String> address = List.of(server.uri());
            try (NearRun run = new NearRun(server.port(), address, address, LIFETIME, CLOCKS)) {
                run.begin();
                run.goOn(LIFETIME.multipliedBy(6));
                run.end("expiry without a word");
            }
        }
    }

    @Test
    void moreKeysThanTheServerRemembers_areToldOfAllTheSame() throws Exception {
        try (LocalServers servers = TestServers.none()) {
            LocalServer server = servers.start("--tracking-table-max-keys", "10");
            try (NearRun run = run(server)) {
                run.begin();
                run.goOn(BEFORE.plus(AFTERWARDS));
                run.end("10 keys remembered");
            }
        }
    }

    @Test
    void serverThatBeginsAgainWithNothing_takesAllWithIt() throws Exception {
        try (LocalServers servers = TestServers.none()) {
            LocalServer server = servers.start();
            try (NearRun run = run(server)) {
                run.begin();
                run.goOn(BEFORE);
                run.writer().lose(() -> {
                    run.ownWriter().lose(() -> {
                        server.kill();
                        server.restart();
                        return key -> true;
                    });
                    return key -> true;
                });
                run.goOn(AFTERWARDS.multipliedBy(2));
                run.end("restart with nothing");
            }
        }
    }
}
