// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.slot.PartitionId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of a partition at one moment, as this process sees it.
 *
 * @param id the name
 * @param address the address, without credentials
 * @param state whether it answers
 * @param problem why it does not answer, null while it does
 * @param slots the number of hash slots that it owns
 * @param since when it began or stopped to answer, by this machine's clock; a single timeout or probe does not
 *     change it
 * @param pendingDeletes the number of deletes that wait until it answers
 */
public record PartitionStatus(
        PartitionId id,
        String address,
        PartitionState state,
        @Nullable String problem,
        int slots,
        Instant since,
        int pendingDeletes) {}
