// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushContract;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a real server tells without being asked. */
class RedisPushIT extends PushContract {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    @Override
    protected PartitionConnection connect() throws Exception {
        return SERVER.connect();
    }

    @Override
    protected void killConnections() {
        SERVER.plain.clientKill(KillArgs.Builder.typeNormal().skipme(true));
    }

    @Test
    void serverThatIsEmptied_invalidatesAll() throws Exception {
        try (PartitionConnection connection = connect()) {
            ConcurrentLinkedQueue<Push> heard = new ConcurrentLinkedQueue<>();
            connection.listen(heard::add);
            done(connection, new Command.Track());
            done(connection, new Command.GetTracked(EncodedKey.of("order:1")));

            SERVER.plain.flushall();

            await().until(() -> heard.stream().anyMatch(Push.AllInvalidated.class::isInstance));
            assertThat(heard).noneMatch(Push.Invalidated.class::isInstance);
        }
    }

    @Test
    void userWhoMayNotTrack_isRefused() throws Exception {
        try (PartitionConnection connection = connect()) {
            SERVER.plain.dispatch(
                    CommandType.ACL,
                    new StatusOutput<>(ByteArrayCodec.INSTANCE),
                    new CommandArgs<>(ByteArrayCodec.INSTANCE)
                            .add("SETUSER")
                            .add("default")
                            .add("-client|tracking"));
            try {
                Reply<Boolean> reply = reply(connection, new Command.Track());

                assertThat(((Reply.Refused<Boolean>) reply).refusal()).isEqualTo(Refusal.FORBIDDEN);
            } finally {
                SERVER.plain.aclSetuser("default", AclSetuserArgs.Builder.allCommands());
            }
        }
    }
}
