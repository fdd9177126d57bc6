// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers of a provider that has renamed commands, or that gives its users fewer rights. */
@SideBySide
class MissingCommandsIT {
    private final LocalServers servers = TestServers.none();
    private final RedisFixture fixture = new RedisFixture();

    @AfterEach
    void close() {
        fixture.close();
        servers.close();
    }

    static Stream<List<String>> absent() {
        return Stream.of(
                List.of("ROLE"),
                List.of("CLIENT"),
                List.of("EVALSHA"),
                List.of("SCRIPT"),
                List.of("ROLE", "CLIENT", "EVALSHA", "SCRIPT", "CONFIG", "DEBUG"));
    }

    @ParameterizedTest
    @MethodSource("absent")
    void renamedCommands_areDoneWithout(List<String> commands) throws Exception {
        String[] arguments = commands.stream()
                .flatMap(command -> Stream.of("--rename-command", command, ""))
                .toArray(String[]::new);

        assertServes(servers.start(arguments).uri());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-role",
                "-client",
                "-client|kill",
                "-client|list",
                "-client|id",
                "-evalsha",
                "-role -client -evalsha"
            })
    void forbiddenCommands_areDoneWithout(String rights) throws Exception {
        LocalServer server = servers.start();
        try (ServerDialogue admin = ServerDialogue.with(server)) {
            admin.ask(("ACL SETUSER limited on >secret ~* &* +@all " + rights).split(" "));
        }

        assertServes(server.uri().replace("://", "://limited:secret@"));
    }

    /** It has no name then, and its data alone tells its lives apart. */
    @Test
    void serverWithoutInfo_isUsed() throws Exception {
        assertServes(servers.start("--rename-command", "INFO", "").uri());
    }

    @Test
    void replicaWithoutRole_isToldByInfo() throws Exception {
        LocalServer primary = servers.start();
        LocalServer replica = servers.start(
                "--rename-command", "ROLE", "", "--replicaof", "127.0.0.1", Integer.toString(primary.port()));

        ConnectFailure failure = RedisFixture.failureOf(fixture.connector(replica.uri()));

        assertThat(failure.kind()).isEqualTo(ConnectFailure.Kind.UNREACHABLE);
        assertThat(failure).hasMessageContaining("not a primary");
    }

    private void assertServes(String uri) throws Exception {
        RedisConnector connector = fixture.connector(uri);
        RedisConnection first = RedisFixture.connect(connector);
        for (RedisConnection connection : List.of(first, RedisFixture.connect(connector))) {
            EncodedKey key = EncodedKey.of("customer:1");
            Command.Put put = RedisFixture.put("customer:1", "value");
            assertThat(RedisFixture.done(connection, put)).isTrue();
            for (int i = 0; i < 3; i++) {
                // A refused digest is worth another attempt, which has the source.
                Reply<?> reply =
                        RedisFixture.reply(connection, new Command.GetAndExpire(key, Expiry.afterMillis(60_000)));
                if (reply instanceof Reply.Refused<?> refused) {
                    assertThat(refused.refusal().isWorthAnotherAttempt()).isTrue();
                    assertThat(i).isEqualTo(1);
                }
            }
            assertThat(RedisFixture.text(RedisFixture.done(connection, RedisFixture.get("customer:1"))))
                    .isEqualTo("value");
            assertThat(RedisFixture.done(connection, new Command.RemoveAll(List.of(key))))
                    .isEqualTo(1);
        }
        assertThat(RedisFixture.done(first, new Command.NewEpoch())).isTrue();
        assertThat(RedisFixture.connect(connector).epoch()).isNotEqualTo(first.epoch());
    }
}
