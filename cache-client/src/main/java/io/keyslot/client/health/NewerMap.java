// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Reply;
import java.util.List;

/** What a reply says about a newer slot map. */
final class NewerMap {
    private NewerMap() {}

    /** Returns the version that is needed, the highest if there are several; 0 if the reply says none. */
    static long in(Object reply) {
        if (reply instanceof Reply.Refused<?> refused) {
            return refused.mapVersion();
        }
        long highest = 0;
        if (reply instanceof Reply.Done<?> done && done.value() instanceof List<?> parts) {
            for (Object part : parts) {
                if (!(part instanceof Reply<?>)) {
                    return highest;
                }
                highest = Math.max(highest, in(part));
            }
        }
        return highest;
    }
}
