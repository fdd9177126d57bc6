// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.Set;

/**
 * What became of the changes of a batch.
 *
 * @param written how many were written
 * @param retried how many failed and wait again, or failed while a later change of their key waits
 * @param dropped how many failed for the last time
 * @param outdated the keys that were written, and of which the cache may have something else
 */
record Settled<K>(int written, int retried, int dropped, Set<K> outdated) {}
