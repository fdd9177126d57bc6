// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A start that is refused by one of three instances has written nothing into any of them. */
@SideBySide
class RefusedStartIT {
    private static final int INSTANCES = 3;

    /** Why one of them refuses. */
    enum Reason {
        OTHER_MAP("another slot map") {
            @Override
            void prepare(ServerDialogue server) throws IOException {
                record(server, "map:", "v1 p1 0-8191 | v1 p1=0-8191 p2=8192-16383");
            }
        },
        OTHER_NAMESPACE("namespace 'shop'") {
            @Override
            void prepare(ServerDialogue server) throws IOException {
                record(server, "map:shop", "v1 p1 0-16383 | v1 p1=0-16383");
            }
        },
        NEWER_FORMAT("a newer version of Keyslot") {
            @Override
            void prepare(ServerDialogue server) throws IOException {
                server.ask("HSET", "keyslot:meta", "format", "99");
            }
        },
        DATA_OF_A_FOREIGN("no record of Keyslot") {
            @Override
            void prepare(ServerDialogue server) throws IOException {
                server.ask("LPUSH", "customer:1", "x");
            }
        },
        RECORD_OF_A_FOREIGN("keyslot:meta was not written by Keyslot") {
            @Override
            void prepare(ServerDialogue server) throws IOException {
                server.ask("HSET", "keyslot:meta", "field", "value");
            }
        },
        RECORD_OF_ANOTHER_TYPE("in use for something else") {
            @Override
            void prepare(ServerDialogue server) throws IOException {
                server.ask("SET", "keyslot:meta", "x");
            }
        },
        MISSING_PASSWORD("asks for a password") {
            @Override
            void prepare(ServerDialogue server) throws IOException {
                server.ask("CONFIG", "SET", "requirepass", "secret");
            }
        },
        MISSING_RIGHT_TO_RECORD("not allowed to use HSET") {
            @Override
            void prepare(ServerDialogue server) throws IOException {
                server.ask("ACL", "SETUSER", "default", "-hset");
            }
        },
        MISSING_RIGHT_TO_READ("not allowed") {
            @Override
            void prepare(ServerDialogue server) throws IOException {
                server.ask("ACL", "SETUSER", "default", "-hgetall");
            }
        };

        private final String said;

        Reason(String said) {
            this.said = said;
        }

        abstract void prepare(ServerDialogue server) throws IOException;

        private static void record(ServerDialogue server, String field, String value) throws IOException {
            server.ask("HSET", "keyslot:meta", "format", "2", field, value);
        }
    }

    private final LocalServers servers = TestServers.none();
    private final List<ServerDialogue> dialogues = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (ServerDialogue dialogue : dialogues) {
            dialogue.close();
        }
        servers.close();
    }

    static Stream<Arguments> reasons() {
        return Stream.of(Reason.values())
                .flatMap(reason -> Stream.of(0, 1, 2).map(position -> Arguments.of(reason, position)));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void startThatIsRefused_leavesAllAsTheyWere_andTheCorrectedOneWorks(Reason reason, int position) throws Exception {
        List<LocalServer> instances = new ArrayList<>(start(INSTANCES));
        reason.prepare(dialogues.get(position));
        List<Object> before = contents();

        assertThatThrownBy(() -> open(instances).close())
                .isInstanceOf(CacheException.class)
                .hasMessageContainingAll(
                        "cannot start", ":" + instances.get(position).port(), reason.said);

        assertThat(contents()).isEqualTo(before);
        instances.set(position, start(1).get(0));
        try (CacheManager corrected = open(instances)) {
            Cache<String, String> cache = corrected.createCache("customer", new MutableConfiguration<>());
            for (int i = 0; i < 30; i++) {
                cache.put("k" + i, "v");
            }
            assertThat(cache.get("k7")).isEqualTo("v");
        }
    }

    /** Several refuse at once: each is named, so that one correction is enough. */
    @Test
    void startThatIsRefusedByAll_namesThemAll() throws Exception {
        List<LocalServer> instances = start(INSTANCES);
        Reason.OTHER_MAP.prepare(dialogues.get(0));
        Reason.DATA_OF_A_FOREIGN.prepare(dialogues.get(1));
        Reason.MISSING_PASSWORD.prepare(dialogues.get(2));

        assertThatThrownBy(() -> open(instances).close())
                .hasMessageContainingAll(
                        Reason.OTHER_MAP.said, Reason.DATA_OF_A_FOREIGN.said, Reason.MISSING_PASSWORD.said);
    }

    /** What comes later is checked when it is there: it is missing, and has nothing of ours. */
    @Test
    void instanceThatComesLaterAndRefuses_isMissingAndStaysAsItIs() throws Exception {
        List<LocalServer> instances = start(INSTANCES);
        Reason.DATA_OF_A_FOREIGN.prepare(dialogues.get(2));
        Object before = contents().get(2);
        instances.get(2).suspend();

        try (CacheManager manager = open(instances, Map.of("keyslot.deadlines.connect", "300ms"))) {
            instances.get(2).resume();

            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> manager.unwrap(PartitionedCacheManager.class)
                            .partitions()
                            .get(2)
                            .toString()
                            .contains("no record of Keyslot"));
            assertThat(contents().get(2)).isEqualTo(before);
        }
    }

    private List<LocalServer> start(int count) throws IOException {
        List<LocalServer> started = servers.start(count);
        for (LocalServer server : started) {
            ServerDialogue dialogue = ServerDialogue.with(server);
            dialogue.ask("AUTH", "default", ""); // so that it stays who it is when a password is asked for
            dialogue.ask("ACL", "SETUSER", "admin", "on", "nopass", "~*", "&*", "+@all");
            dialogue.ask("AUTH", "admin", "any");
            dialogues.add(dialogue);
        }
        return started;
    }

    /** Returns how many keys each has, and the digest of all that it has. */
    private List<Object> contents() throws IOException {
        List<Object> all = new ArrayList<>();
        for (ServerDialogue dialogue : dialogues.subList(0, INSTANCES)) {
            all.add(dialogue.ask("DBSIZE") + " " + dialogue.ask("EVAL", SIGNATURE, "0"));
        }
        return all;
    }

    private static final String SIGNATURE = "local all = redis.call('KEYS', '*') table.sort(all) local text = ''"
            + " for _, key in ipairs(all) do text = text .. key .. redis.sha1hex(redis.call('DUMP', key)) end return text";

    private static CacheManager open(List<LocalServer> instances) {
        return open(instances, Map.of());
    }

    private static CacheManager open(List<LocalServer> instances, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(KeyslotManagers.LONG_DEADLINES);
        all.putAll(settings);
        return KeyslotManagers.open(
                "refused-start", instances.stream().map(LocalServer::uri).toList(), all);
    }
}
