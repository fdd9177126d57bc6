// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficCommand.Kept;
import io.keyslot.client.partition.TrafficCommand.ReadReports;
import io.keyslot.client.partition.TrafficCommand.Report;
import io.keyslot.client.partition.TrafficCommand.Reports;
import io.keyslot.client.partition.TrafficReport;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a real server does with the reports of clients. */
@SideBySide
class RedisTrafficIT {
    private static final byte[] META = RedisFixture.bytes("keyslot:meta");
    private static final byte[] KEY = RedisFixture.bytes("keyslot:load:");

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    @BeforeEach
    void empty() {
        SERVER.empty();
    }

    private static TrafficReport report(int slot, long calls) {
        return TrafficReport.of(
                60_000,
                List.of(new TrafficReport.Slot(slot, calls, calls * 100)),
                List.of(new TrafficReport.Named("customer:1", slot, true, calls / 2)),
                new TrafficReport.Totals(
                        List.of(new TrafficReport.CacheCalls("customer", calls, 1, 2, 3, 4)), Map.of(9, calls), slot));
    }

    private static <R> Reply<R> reply(Command<R> command) {
        return SERVER.connection.send(command, Route.ANY, Patience.UNLIMITED).join();
    }

    private static <R> R done(Command<R> command) {
        Reply<R> reply = reply(command);
        assertThat(reply).isInstanceOf(Reply.Done.class);
        return ((Reply.Done<R>) reply).value();
    }

    @Test
    void report_isKept_inPlaceOfTheOneBefore() {
        assertThat(done(new Report("a", report(1, 32)))).isTrue();
        assertThat(done(new Report("b", report(2, 64)))).isTrue();
        assertThat(done(new Report("a", report(3, 96)))).isTrue();

        Reports read = done(new ReadReports());

        assertThat(read.isComplete()).isTrue();
        assertThat(read.all()).extracting(Kept::client).containsExactlyInAnyOrder("a", "b");
        assertThat(read.all()).extracting(Kept::report).containsExactlyInAnyOrder(report(3, 96), report(2, 64));
        assertThat(read.all()).allMatch(kept -> kept.ageMillis() >= 0 && kept.ageMillis() < 60_000);
    }

    @Test
    void reportsOfManyClients_areBounded_andThatIsTold() {
        for (int i = 0; i < TrafficCommand.MOST_CLIENTS; i++) {
            assertThat(done(new Report("client-" + i, report(i, 16)))).isTrue();
        }
        assertThat(done(new ReadReports()).isComplete()).isTrue();

        assertThat(done(new Report("one-more", report(1, 16)))).isFalse();
        assertThat(done(new Report("client-5", report(9, 16)))).isTrue();

        Reports read = done(new ReadReports());
        assertThat(read.isComplete()).isFalse();
        assertThat(read.all()).hasSize(TrafficCommand.MOST_CLIENTS);
        assertThat(read.all()).extracting(Kept::client).doesNotContain("one-more");
    }

    @Test
    void staleReports_makeRoom() {
        for (int i = 0; i < TrafficCommand.MOST_CLIENTS; i++) {
            done(new Report("client-" + i, report(i, 16)));
            SERVER.plain.hset(KEY, RedisFixture.bytes("at:client-" + i), RedisFixture.bytes("1000"));
        }
        assertThat(done(new ReadReports()).all()).isEmpty();

        assertThat(done(new Report("one-more", report(1, 16)))).isTrue();

        assertThat(done(new ReadReports()).all()).hasSize(1);
        assertThat(SERVER.plain.hlen(KEY)).isEqualTo(2);
    }

    /** Whoever connects next must not take it for an instance of somebody else. */
    @Test
    void serverThatHasLostAll_isToldNothing() {
        SERVER.plain.rename(META, RedisFixture.bytes("aside"));
        try {
            assertThat(done(new Report("a", report(1, 32)))).isFalse();
            assertThat(SERVER.plain.exists(KEY)).isZero();
        } finally {
            SERVER.plain.rename(RedisFixture.bytes("aside"), META);
        }
    }

    @Test
    void namespaces_areApart() throws Exception {
        PartitionIdentity other =
                new PartitionIdentity(RedisFixture.P1, RedisFixture.TWO, "shop", true, Adoption.UNUSED);
        TestServers own = TestServers.start(1);
        try {
            PartitionConnection shop =
                    RedisFixture.connect(SERVER.fixture.connector(own.uri(0), other, RedisFixture.PATIENT));
            PartitionConnection bank = RedisFixture.connect(SERVER.fixture.connector(
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
        SERVER.plain.hset(KEY, RedisFixture.bytes("of:b"), RedisFixture.bytes("nonsense"));

        TrafficCommand.Reports read = done(new ReadReports());

        assertThat(read.all())
                .singleElement()
                .extracting(TrafficCommand.Kept::client)
                .isEqualTo("a");
        assertThat(read.isComplete()).isFalse();
    }

    /** A right that is missing, and a server that is full: nothing is written, and the connection goes on. */
    @ParameterizedTest
    @EnumSource(
            value = CommandType.class,
            names = {"HSET", "HDEL", "PEXPIRE", "TIME", "HKEYS", "EXISTS"})
    void withoutARight_nothingIsWritten(CommandType right) throws Exception {
        SERVER.plain.aclSetuser("default", AclSetuserArgs.Builder.removeCommand(right));
        try {
            Reply<Boolean> refused = reply(new Report("a", report(1, 32)));
            assertThat(refused)
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            reason -> assertThat(reason.refusal()).isEqualTo(Refusal.FORBIDDEN));
        } finally {
            SERVER.plain.aclSetuser("default", AclSetuserArgs.Builder.allCommands());
        }
        assertThat(SERVER.plain.exists(KEY)).isZero();
    }

    @Test
    void fullServer_refuses() throws Exception {
        SERVER.plain.configSet("maxmemory", "1");
        try {
            assertThat(reply(new Report("a", report(1, 32)))).isInstanceOf(Reply.Refused.class);
        } finally {
            SERVER.plain.configSet("maxmemory", "0");
        }
        assertThat(SERVER.plain.exists(KEY)).isZero();
        assertThat(SERVER.connection
                        .send(new Command.Get(RedisFixture.get("any").key()), Route.ANY, Patience.UNLIMITED)
                        .join())
                .isInstanceOf(Reply.Done.class);
    }
}
