// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FeedContract;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.it.SideBySide;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The feeds of a real server. */
@SideBySide
class RedisFeedIT extends FeedContract {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    @Override
    protected PartitionConnection connection() {
        return SERVER.connection;
    }

    @Override
    protected void passLease() {
        Awaitility.await().pollDelay(FeedCommand.LEASE.plusMillis(100)).until(() -> true);
    }
}
