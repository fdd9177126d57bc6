// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PushContract;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrackedReadContract;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a real server tells of tracked reads. */
@SideBySide
class RedisTrackedReadIT extends TrackedReadContract {
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

    /** The server would execute the read, and tell nothing of it. */
    @Test
    void readOfAUserWhoMayNotAskToBeTold_isRefused() throws Exception {
        try (PartitionConnection connection = connect()) {
            PushContract.done(connection, new Command.Track());
            plain.dispatch(
                    CommandType.ACL,
                    new StatusOutput<>(ByteArrayCodec.INSTANCE),
                    new CommandArgs<>(ByteArrayCodec.INSTANCE)
                            .add("SETUSER")
                            .add("default")
                            .add("-client|caching"));
            try {
                Command.Get get = RedisFixture.get("order:1");
                Reply<TrackedLookup> reply = PushContract.reply(connection, new Command.GetTracked(get.key()));

                assertThat(((Reply.Refused<TrackedLookup>) reply).refusal()).isEqualTo(Refusal.FORBIDDEN);
                assertThat(PushContract.done(connection, get).isFound()).isFalse();
            } finally {
                plain.aclSetuser("default", AclSetuserArgs.Builder.allCommands());
            }
        }
    }
}
