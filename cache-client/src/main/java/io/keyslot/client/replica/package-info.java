// SPDX-License-Identifier: Apache-2.0
/**
 * Reads from replicas of the partitions' servers: what they answer is not older than a bound, or the primary is asked.
 */
@NullMarked
package io.keyslot.client.replica;

import org.jspecify.annotations.NullMarked;
