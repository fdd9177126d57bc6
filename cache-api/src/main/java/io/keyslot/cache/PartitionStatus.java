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
 * @param problem why it does not, null while it does
 * @param slots how many hash slots it owns
 * @param since when it began to answer or stopped, by this machine's clock; neither a silence nor a probe changes it
 * @param journal how many deletions wait until it answers
 */
public record PartitionStatus(
        PartitionId id,
        String address,
        PartitionState state,
        @Nullable String problem,
        int slots,
        Instant since,
        int journal) {}
