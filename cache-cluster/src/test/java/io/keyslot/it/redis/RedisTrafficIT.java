// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficCommand.ReadReports;
import io.keyslot.client.partition.TrafficCommand.Report;
import io.keyslot.client.partition.TrafficContract;
import io.keyslot.client.time.Patience;
import io.keyslot.client.traffic.CacheTraffic;
import io.keyslot.client.traffic.CachesReport;
import io.keyslot.client.traffic.TrafficReport;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a real server does with the reports of clients. */
@SideBySide
class RedisTrafficIT extends TrafficContract {
    private static final byte[] META = RedisFixture.bytes("keyslot:meta");
    private static final byte[] KEY = RedisFixture.bytes("keyslot:load:");

    private static TestServers servers;
    private static RedisFixture fixture;
    private static PartitionConnection connection;
    private static RedisCommands<byte[], byte[]> plain;

    @BeforeAll
    static void connect() throws Exception {
        servers = TestServers.start(1);
        fixture = new RedisFixture();
        connection = fixture.connect(servers.uri(0));
        plain = fixture.plain(servers.uri(0));
    }

    @AfterAll
    static void close() throws Exception {
        fixture.close();
        servers.close();
    }

    @Override
    protected PartitionConnection connection() {
        return connection;
    }

    @Override
    protected void empty() {
        byte[][] keys = plain.keys("*").stream()
                .filter(key -> !Arrays.equals(key, META))
                .toArray(byte[][]::new);
        if (keys.length > 0) {
            plain.del(keys);
        }
    }

    @Test
    void reportsEndWithTheirClients() {
        done(new Report("a", report(1, 32)));

        assertThat(plain.pttl(KEY)).isBetween(1L, TrafficCommand.KEPT.toMillis());
    }

    private static TrafficReport found(int slot) {
        return report(slot, 16)
                .with(CachesReport.of(List.of(new CacheTraffic("customer", 5, 0, Map.of(), 0, 0, null)), Map.of(), 0));
    }

    /** It knows two fields of each client, and what was in them before there were others. */
    @Test
    void olderClient_andOlderTool_liveBesideNewOnes() {
        done(new Report("new", found(1)));
        String seconds = new String(plain.time().get(0), StandardCharsets.US_ASCII);
        plain.hset(KEY, RedisFixture.bytes("at:old"), RedisFixture.bytes(seconds + "000"));
        plain.hset(KEY, RedisFixture.bytes("of:old"), report(2, 32).bytes());

        assertThat(plain.hget(KEY, RedisFixture.bytes("of:new")))
                .isEqualTo(report(1, 16).bytes());
        assertThat(done(new ReadReports()).isComplete()).isTrue();
        assertThat(done(new ReadReports()).all())
                .extracting(TrafficCommand.Kept::report)
                .containsExactlyInAnyOrder(found(1), report(2, 32));
    }

    @Test
    void whatAnOlderClientHasLeftBehind_isTidiedUp() {
        done(new Report("gone", found(1)));
        plain.hdel(KEY, RedisFixture.bytes("at:gone"), RedisFixture.bytes("of:gone"));
        done(new Report("a", found(2)));

        assertThat(plain.hlen(KEY)).isEqualTo(3);
        done(new Report("a", report(2, 16)));
        assertThat(plain.hlen(KEY)).isEqualTo(2);
    }

    @Test
    void staleReports_makeRoom() {
        for (int i = 0; i < TrafficCommand.MOST_CLIENTS; i++) {
            done(new Report("client-" + i, found(i)));
            plain.hset(KEY, RedisFixture.bytes("at:client-" + i), RedisFixture.bytes("1000"));
        }
        assertThat(done(new ReadReports()).all()).isEmpty();

        assertThat(done(new Report("one-more", report(1, 16)))).isTrue();

        assertThat(done(new ReadReports()).all()).hasSize(1);
        assertThat(plain.hlen(KEY)).isEqualTo(2);
    }

    /** Whoever connects next must not take it for an instance of somebody else. */
    @Test
    void serverThatHasLostAll_isToldNothing() {
        plain.rename(META, RedisFixture.bytes("aside"));
        try {
            assertThat(done(new Report("a", report(1, 32)))).isFalse();
            assertThat(plain.exists(KEY)).isZero();
        } finally {
            plain.rename(RedisFixture.bytes("aside"), META);
        }
    }

    @Test
    void namespaces_areApart() throws Exception {
        PartitionIdentity other =
                new PartitionIdentity(RedisFixture.P1, RedisFixture.TWO, "shop", true, Adoption.UNUSED);
        TestServers own = TestServers.start(1);
        try {
            PartitionConnection shop = RedisFixture.connect(fixture.connector(own.uri(0), other, RedisFixture.PATIENT));
            PartitionConnection bank = RedisFixture.connect(fixture.connector(
                    own.uri(0),
                    new PartitionIdentity(RedisFixture.P1, RedisFixture.TWO, "bank", true, Adoption.UNUSED),
                    RedisFixture.PATIENT));
            assertThat(RedisFixture.done(shop, new Report("a", report(1, 32)))).isTrue();

            assertThat(RedisFixture.done(shop, new ReadReports()).all()).hasSize(1);
            assertThat(RedisFixture.done(bank, new ReadReports()).all()).isEmpty();
        } finally {
            own.close();
        }
    }

    @Test
    void whatSomebodyElseHasWritten_isLeftOut_andTold() {
        done(new Report("a", report(1, 32)));
        done(new Report("b", report(2, 32)));
        plain.hset(KEY, RedisFixture.bytes("of:b"), RedisFixture.bytes("nonsense"));

        TrafficCommand.Reports read = done(new ReadReports());

        assertThat(read.all())
                .singleElement()
                .extracting(TrafficCommand.Kept::client)
                .isEqualTo("a");
        assertThat(read.isComplete()).isFalse();
    }

    @Test
    void counters_areThoseOfTheServer() {
        TrafficCommand.Counters before = done(new TrafficCommand.ReadCounters()).orElseThrow();
        plain.set(RedisFixture.bytes("there"), new byte[] {1});
        for (int i = 0; i < 20; i++) {
            plain.get(RedisFixture.bytes("there"));
            plain.get(RedisFixture.bytes("not there"));
            plain.get(RedisFixture.bytes("not there either"));
        }

        TrafficCommand.Counters after = done(new TrafficCommand.ReadCounters()).orElseThrow();

        assertThat(after.found() - before.found()).isEqualTo(20);
        assertThat(after.missed() - before.missed()).isEqualTo(40);
        assertThat(after.commands() - before.commands()).isGreaterThanOrEqualTo(62);
    }

    /** A right that is missing, and a server that is full: nothing is written, and the connection goes on. */
    @ParameterizedTest
    @EnumSource(
            value = CommandType.class,
            names = {"HSET", "HDEL", "PEXPIRE", "TIME", "HKEYS", "EXISTS"})
    void withoutARight_nothingIsWritten(CommandType right) throws Exception {
        plain.aclSetuser("default", AclSetuserArgs.Builder.removeCommand(right));
        try {
            Reply<Boolean> refused = reply(new Report("a", report(1, 32)));
            assertThat(refused)
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            reason -> assertThat(reason.refusal()).isEqualTo(Refusal.FORBIDDEN));
        } finally {
            plain.aclSetuser("default", AclSetuserArgs.Builder.allCommands());
        }
        assertThat(plain.exists(KEY)).isZero();
    }

    @Test
    void userWithoutTheKey_isRefused() throws Exception {
        plain.aclSetuser("default", AclSetuserArgs.Builder.resetKeys().keyPattern("keyslot:meta"));
        try {
            assertThat(reply(new Report("a", report(1, 32))))
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            reason -> assertThat(reason.refusal()).isEqualTo(Refusal.FORBIDDEN));
        } finally {
            plain.aclSetuser("default", AclSetuserArgs.Builder.allKeys());
        }
        assertThat(plain.exists(KEY)).isZero();
    }

    @Test
    void fullServer_refuses() throws Exception {
        plain.configSet("maxmemory", "1");
        try {
            assertThat(reply(new Report("a", report(1, 32)))).isInstanceOf(Reply.Refused.class);
        } finally {
            plain.configSet("maxmemory", "0");
        }
        assertThat(plain.exists(KEY)).isZero();
        assertThat(connection
                        .send(new Command.Get(RedisFixture.get("any").key()), Route.ANY, Patience.UNLIMITED)
                        .join())
                .isInstanceOf(Reply.Done.class);
    }
}
