// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.feed;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.queue.QueueMessage;
import io.keyslot.client.group.QueueContract;
import io.keyslot.it.KeyslotManagers;
import java.time.Duration;
import java.util.List;
import javax.cache.CacheManager;

/** A process that receives a message, prints it, and prints whether it could complete it when it is told to. */
final class QueueReceiverMain {
    private QueueReceiverMain() {}

    public static void main(String[] arguments) throws Exception {
        try (CacheManager manager = KeyslotManagers.openPatiently(
                "receiver", List.of(arguments[0].split(",", -1)), QueueContract.SETTINGS)) {
            QueueMessage<String> message = manager.unwrap(PartitionedCacheManager.class)
                    .queue("short", String.class)
                    .receive(Duration.ofSeconds(60))
                    .orElseThrow();
            System.out.println(message.value());
            int unused = System.in.read();
            System.out.println(message.complete());
        }
    }
}
