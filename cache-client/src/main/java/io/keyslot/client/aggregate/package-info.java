// SPDX-License-Identifier: Apache-2.0
/**
 * Hashes, lists, sets, sorted sets and counters of bytes: what can be done to them, and what comes of it. Pure; the
 * embedded engine and the transactions compute with the same models.
 */
@NullMarked
package io.keyslot.client.aggregate;

import org.jspecify.annotations.NullMarked;
