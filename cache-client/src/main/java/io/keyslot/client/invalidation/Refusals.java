// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import io.keyslot.client.partition.NeededRights;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once for a manager why a subscription was refused. Thread-safe. */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    private final AtomicBoolean warned = new AtomicBoolean();

    void refused(String address, String why) {
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "{} does not tell what others change, and listeners miss it: {}. Asked again, in the end once a minute. Said once for each manager",
                    address,
                    NeededRights.explain(why, NeededRights.OF_LISTENERS));
        }
    }
}
