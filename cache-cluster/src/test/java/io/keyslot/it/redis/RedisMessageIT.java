// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.MessageContract;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushCommand;
import io.keyslot.client.partition.PushContract;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a real server does with messages on channels. */
@SideBySide
class RedisMessageIT extends MessageContract {
    private static TestServers servers;
    private static RedisFixture fixture;
    private static RedisCommands<byte[], byte[]> plain;

    @BeforeAll
    static void start() {
        servers = TestServers.start(1);
        fixture = new RedisFixture();
        plain = fixture.plain(servers.uri(0));
    }

    @AfterAll
    static void close() throws Exception {
        fixture.close();
        servers.close();
    }

    @Override
    protected PartitionConnection connect() throws Exception {
        return fixture.connect(servers.uri(0));
    }

    @Override
    protected void killListening() {
        plain.clientKill(KillArgs.Builder.typePubsub());
    }

    @Test
    void userWithoutTheChannel_isRefused_andTheConnectionStaysInStep() throws Exception {
        assertRefused(AclSetuserArgs.Builder.resetChannels().channelPattern("allowed:*"));
    }

    @Test
    void userWhoMayNotSubscribe_isRefused_andTheConnectionStaysInStep() throws Exception {
        assertRefused(AclSetuserArgs.Builder.removeCommand(CommandType.SUBSCRIBE));
    }

    /** The error is one reply, whatever the number of channels; behind it come the replies of others. */
    private void assertRefused(AclSetuserArgs less) throws Exception {
        try (PartitionConnection connection = connect()) {
            PushContract.put(connection, RedisFixture.get("message:in:step").key(), 7);
            plain.aclSetuser("default", less);
            try {
                for (int i = 0; i < 3; i++) {
                    Reply<Boolean> refused =
                            PushContract.reply(connection, new PushCommand.Subscribe(List.of("allowed:1", "secret:1")));
                    assertThat(((Reply.Refused<Boolean>) refused).refusal()).isEqualTo(Refusal.FORBIDDEN);
                    assertThat(PushContract.done(connection, RedisFixture.get("message:in:step"))
                                    .isFound())
                            .isTrue();
                }
            } finally {
                plain.aclSetuser("default", AclSetuserArgs.Builder.allCommands().allChannels());
            }
            assertThat(PushContract.done(connection, new PushCommand.Subscribe(List.of("secret:1"))))
                    .isTrue();
        }
    }

    @Test
    void userWhoMayNotPublish_isRefused() throws Exception {
        try (PartitionConnection connection = connect()) {
            plain.aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.PUBLISH));
            try {
                Reply<Long> refused = PushContract.reply(
                        connection, new PushCommand.Publish("channel", ByteBuffer.wrap("1".getBytes(UTF_8))));

                assertThat(((Reply.Refused<Long>) refused).refusal()).isEqualTo(Refusal.FORBIDDEN);
            } finally {
                plain.aclSetuser("default", AclSetuserArgs.Builder.allCommands());
            }
        }
    }

    /** Others may use the channel. What is not heard must not be taken for nothing. */
    @Test
    void messageOfAForeignClientThatIsTooLong_isToldAsALoss() throws Exception {
        try (PartitionConnection connection = connect()) {
            ConcurrentLinkedQueue<Push> heard = new ConcurrentLinkedQueue<>();
            connection.listen(heard::add);
            PushContract.done(connection, new PushCommand.Subscribe(List.of("strangers")));

            plain.publish("strangers".getBytes(UTF_8), new byte[PushCommand.Publish.MOST_BYTES + 1]);
            PushContract.done(
                    connection, new Command.Get(RedisFixture.get("any").key()));

            await().until(() -> !heard.isEmpty());
            assertThat(heard).singleElement().isInstanceOf(Push.AllInvalidated.class);
        }
    }
}
