// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.replica;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Who answers the reads of an entry at present.
 *
 * @param answer who answers and, if that is the primary, why
 * @param replica the address of the replica that was asked, null if none was
 * @param age how old what it has is at most, null if that is not known
 */
public record ReplicaState(
        ReplicaAnswer answer,
        @Nullable String replica,
        @Nullable Duration age) {}
