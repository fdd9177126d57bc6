// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.IndexedWritesContract;
import io.keyslot.it.SideBySide;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The index of a group at a server. */
@SideBySide
class RedisIndexedWritesIT extends IndexedWritesContract {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    @Override
    protected <R> Reply<R> send(Command<R> command) {
        return SERVER.connection
                .send(command, Route.plain(RedisFixture.MAP_VERSION), Patience.UNLIMITED)
                .join();
    }
}
