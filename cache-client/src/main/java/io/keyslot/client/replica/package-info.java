// SPDX-License-Identifier: Apache-2.0
/** Reads from replicas of a partition whose lag is bounded; otherwise the primary is read. */
@NullMarked
package io.keyslot.client.replica;

import org.jspecify.annotations.NullMarked;
