// SPDX-License-Identifier: Apache-2.0
/** Samples of the calls that one client sends to partitions, by slot, group and key, and its report of them. */
@NullMarked
package io.keyslot.client.traffic;

import org.jspecify.annotations.NullMarked;
