// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.replica;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which server answers the reads of an entry at present.
 *
 * @param answer the kind of server and, if it is the primary, the reason
 * @param replica the address of the replica that was asked, null if none was
 * @param age the maximum age of its data, null if not known
 */
public record ReplicaState(
        ReplicaAnswer answer,
        @Nullable String replica,
        @Nullable Duration age) {}
