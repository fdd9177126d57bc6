// SPDX-License-Identifier: Apache-2.0
/** Partitions in this process, with the same entries, envelopes, expiry and faults as on a server. */
@NullMarked
package io.keyslot.client.partition.embedded;

import org.jspecify.annotations.NullMarked;
