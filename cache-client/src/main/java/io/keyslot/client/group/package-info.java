// SPDX-License-Identifier: Apache-2.0
/** Groups: entries and aggregates that share a root key, their handles, transactions, rows and locks. Queues, whose fragments
 * are groups. */
@NullMarked
package io.keyslot.client.group;

import org.jspecify.annotations.NullMarked;
