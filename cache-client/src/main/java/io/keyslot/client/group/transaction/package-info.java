// SPDX-License-Identifier: Apache-2.0
/** Transactions of a group: work that reads with stamps, and a commit that expects them. */
@NullMarked
package io.keyslot.client.group.transaction;

import org.jspecify.annotations.NullMarked;
