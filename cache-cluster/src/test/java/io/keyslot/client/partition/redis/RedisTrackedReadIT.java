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
import io.keyslot.it.SideBySide;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a real server tells of tracked reads. */
@SideBySide
class RedisTrackedReadIT extends TrackedReadContract {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    @Override
    protected PartitionConnection connect() throws Exception {
        return SERVER.connect();
    }

    /** The server would execute the read, and tell nothing of it. */
    @Test
    void readOfAUserWhoMayNotAskToBeTold_isRefused() throws Exception {
        try (PartitionConnection connection = connect()) {
            PushContract.done(connection, new Command.Track());
            SERVER.plain.dispatch(
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
                SERVER.plain.aclSetuser("default", AclSetuserArgs.Builder.allCommands());
            }
        }
    }
}
