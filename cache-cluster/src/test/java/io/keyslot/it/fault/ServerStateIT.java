// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.it.UpToThreeRuns;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One of three servers answers, but not as usual. */
@Tag("thorough")
class ServerStateIT {
    private static final Duration BACK_WITHIN = Duration.ofSeconds(3);
    private static final Duration WHILE = Duration.ofMillis(1_500);

    /** The states in which a server refuses writes, most of which {@link RefusedWritesIT} has as well. */
    private static final String REFUSED_WRITES = "SAVE_FAILED|REPLICAS_LOST|READONLY_REPLICA";

    private static final String FORBIDDEN = "WRITES_FORBIDDEN|ALL_FORBIDDEN";

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_NONE,
            names = {REFUSED_WRITES, FORBIDDEN})
    void serverInAnUnusualState_costsNoReadAndServesNothingWrong(State state) throws Exception {
        check(state);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = REFUSED_WRITES)
    void serverThatRefusesWrites_costsNoReadAndServesNothingWrong(State state) throws Exception {
        check(state);
    }

    /** A missing right is a mistake of the configuration, which reads report: the partition is not missing. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = FORBIDDEN)
    void serverThatForbidsCommands_servesNothingWrong(State state) throws Exception {
        UpToThreeRuns.of(
                () -> FaultRun.of(state.name(), Map.of(), state::pass).assertAnswersAreRight(),
                run -> run.assertDeadlinesHold().assertUsedAgainWithin(BACK_WITHIN));
    }

    private static void check(State state) throws Exception {
        UpToThreeRuns.of(
                () -> FaultRun.of(state.name(), Map.of(), state::pass)
                        .assertAnswersAreRight()
                        .assertNoReadFailed(),
                run -> run.assertDeadlinesHold().assertUsedAgainWithin(BACK_WITHIN));
    }

    /** How a server can be other than usual, and how it gets there and back. */
    enum State {
        CLIENT_PAUSE {
            @Override
            void pass(LoadedServers load) throws Exception {
                load.tell("CLIENT", "PAUSE", "1500", "ALL");
                load.goOn(WHILE);
            }
        },
        DEBUG_SLEEP {
            @Override
            void pass(LoadedServers load) throws Exception {
                load.tell("DEBUG", "SLEEP", "1.5");
            }
        },
        FULL {
            @Override
            void pass(LoadedServers load) throws Exception {
                load.tell("CONFIG", "SET", "maxmemory-policy", "noeviction", "maxmemory", "1");
                load.goOn(WHILE);
                load.tell("CONFIG", "SET", "maxmemory", "0");
            }
        },
        SAVE_FAILED {
            @Override
            void pass(LoadedServers load) throws Exception {
                load.refuseWrites(Refusal.MISCONF, WHILE);
            }
        },
        REPLICAS_LOST {
            @Override
            void pass(LoadedServers load) throws Exception {
                load.refuseWrites(Refusal.NOREPLICAS, WHILE);
            }
        },
        TOO_MANY_CLIENTS {
            @Override
            void pass(LoadedServers load) throws Exception {
                try (Resp admin = new Resp(load.server().port())) {
                    admin.ask("CONFIG", "SET", "maxclients", "1");
                    admin.ask("CLIENT", "KILL", "TYPE", "normal");
                    load.goOn(WHILE);
                    admin.ask("CONFIG", "SET", "maxclients", "10000");
                }
            }
        },
        READONLY_REPLICA {
            @Override
            void pass(LoadedServers load) throws Exception {
                // Of nobody: what it has stays, and it serves reads.
                load.tell("REPLICAOF", "127.0.0.1", "1");
                load.goOn(WHILE);
                load.tell("REPLICAOF", "NO", "ONE");
            }
        },
        LOADING {
            @Override
            void pass(LoadedServers load) throws Exception {
                load.tell("DEBUG", "POPULATE", "500", "other");
                load.tell("CONFIG", "SET", "key-load-delay", "3000", "loading-process-events-interval-bytes", "1024");
                load.tell("DEBUG", "RELOAD");
                load.tell("DEBUG", "POPULATE", "500", "other");
                load.tell("CONFIG", "SET", "key-load-delay", "0");
            }
        },
        SCRIPTS_FLUSHED {
            @Override
            void pass(LoadedServers load) throws Exception {
                for (int i = 0; i < 5; i++) {
                    assertThat(load.tell("SCRIPT", "FLUSH")).isEqualTo("OK");
                    load.goOn(WHILE.dividedBy(5));
                }
            }
        },
        WRITES_FORBIDDEN {
            @Override
            void pass(LoadedServers load) throws Exception {
                load.tell("ACL", "SETUSER", "default", "-@write", "-@scripting");
                load.goOn(WHILE);
                load.tell("ACL", "SETUSER", "default", "+@all");
            }
        },
        ALL_FORBIDDEN {
            @Override
            void pass(LoadedServers load) throws Exception {
                load.tell("ACL", "SETUSER", "default", "-@all", "+acl");
                load.goOn(WHILE);
                load.tell("ACL", "SETUSER", "default", "+@all");
            }
        };

        abstract void pass(LoadedServers load) throws Exception;
    }
}
