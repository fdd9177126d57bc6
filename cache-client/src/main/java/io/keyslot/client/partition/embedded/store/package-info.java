// SPDX-License-Identifier: Apache-2.0
/** What a partition within the process keeps: entries and aggregates, under locks of their slots. */
@NullMarked
package io.keyslot.client.partition.embedded.store;

import org.jspecify.annotations.NullMarked;
