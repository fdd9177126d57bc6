// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.redis.ExecutedCommands.Executed;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.cluster.local.ClusterNode;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Scripts at a node of a cluster that has some keys of a group, while another node has the rest: what is elsewhere is not taken for gone.
 *
 * <p>The words are those that a client sends to an instance.
 */
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("thorough")
@SideBySide
class HalfMovedSlotIT {
    private static final GroupHome HOME = new GroupHome("customer:99");
    private static final EncodedKey FIRST = row(1);
    private static final EncodedKey SECOND = row(2);
    private static final EncodedKey ETERNAL = row(3);
    private static final Expiry MINUTE = Expiry.afterMillis(60_000);

    @AutoClose
    private final LocalCluster cluster = LocalCluster.start(3, 0);

    private final ClusterNode source = cluster.ownerOf(FIRST.slot());
    private final ClusterNode target = cluster.primaries().stream()
            .filter(node -> !node.equals(source))
            .findFirst()
            .orElseThrow();
    private List<List<byte[]>> puts;
    private List<byte[]> removal;

    private static EncodedKey row(int id) {
        return EncodedKey.of("order:{customer:99}:" + id).indexed();
    }

    private static Command.Put put(EncodedKey key, Expiry expiry) {
        return new Command.Put(key, Envelope.of(key.text().hashCode(), new byte[20]), expiry, expiry);
    }

    @BeforeEach
    void record() throws Exception {
        try (LocalServers servers = TestServers.none();
                RedisFixture fixture = new RedisFixture()) {
            LocalServer server = servers.start();
            RedisConnection connection = fixture.connect(server.uri());
            puts = List.of(
                    sent(server, connection, put(FIRST, MINUTE)),
                    sent(server, connection, put(SECOND, MINUTE)),
                    sent(server, connection, put(ETERNAL, Expiry.NEVER)));
            removal = sent(server, connection, new Command.RemoveAll(List.of(ETERNAL)));
        }
        try (ServerDialogue owner = ServerDialogue.with(source.port())) {
            for (List<byte[]> put : puts) {
                assertThat(owner.ask(put)).isEqualTo(1L);
            }
        }
        assertThat(names(source)).hasSize(3);
    }

    /** Returns the words of the script that does a command. */
    private static List<byte[]> sent(LocalServer server, RedisConnection connection, Command<?> command)
            throws Exception {
        try (ExecutedCommands executed = ExecutedCommands.of(server)) {
            RedisFixture.done(connection, command);
            Executed script = executed.next().stream()
                    .filter(one -> !one.isWithinScript() && one.name().startsWith("EVAL"))
                    .findFirst()
                    .orElseThrow();
            List<byte[]> words = new ArrayList<>(script.words());
            if (script.name().equals("EVALSHA")) {
                String text = Script.ofDigest(new String(words.get(1), StandardCharsets.US_ASCII))
                        .orElseThrow()
                        .text();
                words.set(0, RedisFixture.bytes("EVAL"));
                words.set(1, RedisFixture.bytes(text));
            }
            return words;
        }
    }

    /** The index never expires, as long as there is a row that does not; when that is removed, the script looks at the others. */
    @Test
    void removalAtTheNewNode_leavesTheNamesOfRowsThatAreStillAtTheOldOne() throws Exception {
        begin();
        move(HOME.index(), ETERNAL);

        assertThat(askedAt(target, removal)).isEqualTo("1");
        move(FIRST, SECOND);
        end();

        assertThat(names(target))
                .containsExactlyInAnyOrder(
                        HOME.nameOf(FIRST).text(), HOME.nameOf(SECOND).text());
    }

    @Test
    void removalAtTheOldNode_leavesTheNamesOfRowsThatAreAtTheNewOne() throws Exception {
        begin();
        move(FIRST, SECOND);

        assertThat(askedAt(source, removal)).isEqualTo("1");
        move(HOME.index());
        end();

        assertThat(names(target))
                .containsExactlyInAnyOrder(
                        HOME.nameOf(FIRST).text(), HOME.nameOf(SECOND).text());
    }

    /** A key is missing on both nodes: neither has executed it, and both say so. */
    @Test
    void scriptWhoseKeysAreOnTwoNodes_isRefusedByBoth() throws Exception {
        begin();
        move(HOME.index());

        assertThat(askedAt(source, removal)).contains("TRYAGAIN");
        assertThat(askedAt(target, removal)).contains("TRYAGAIN");
    }

    private void begin() {
        String slot = Integer.toString(FIRST.slot());
        target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id());
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id());
    }

    private void move(EncodedKey... keys) {
        for (EncodedKey key : keys) {
            source.ask("MIGRATE", "127.0.0.1", Integer.toString(target.port()), key.text(), "0", "5000");
        }
    }

    private void end() {
        String slot = Integer.toString(FIRST.slot());
        target.ask("CLUSTER", "SETSLOT", slot, "NODE", target.id());
        source.ask("CLUSTER", "SETSLOT", slot, "NODE", target.id());
    }

    private static String askedAt(ClusterNode node, List<byte[]> words) throws Exception {
        try (ServerDialogue dialogue = ServerDialogue.with(node.port())) {
            dialogue.ask("ASKING");
            return String.valueOf(dialogue.ask(words));
        }
    }

    private static List<String> names(ClusterNode node) {
        return node.ask("ZRANGE", HOME.index().text(), "0", "-1") instanceof List<?> names
                ? names.stream().map(String::valueOf).toList()
                : List.of();
    }
}
